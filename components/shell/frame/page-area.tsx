'use client';

import { type ReactNode, useEffect, useState } from 'react';

import { type Extent, useNavigation } from '#components/ui/navigation/navigation.tsx';

/** On a quick link the page itself comes first, and nothing flashes. */
const SKELETON_DELAY_MS = 100;

export type PageAreaProps = {
  /** Stands in for the page that is being opened; nothing while none is. */
  skeleton: ReactNode;
  /** The page. */
  children: ReactNode;
  /** `tab`: it is the tab of a page, which gives way to another tab alone. */
  extent?: Extent;
};

/**
 * The page, and in place of it a skeleton of the next one while that is on its way. The skeleton
 * comes from the browser, because on a slow link the server's first byte already takes too long.
 */
export function PageArea({ skeleton, children, extent = 'page' }: PageAreaProps) {
  const { destination, extent: opened } = useNavigation();
  const isShown = useLastsLongerThan(SKELETON_DELAY_MS, opened === extent ? destination : null);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] *:[grid-area:1/1]">
      {/* It keeps its height, and with it the scroll position to which Back returns. It stays in
          sight where the next page has no skeleton. */}
      <div className="min-w-0 has-[+:not([hidden],:empty)]:invisible">{children}</div>
      <div
        hidden={!isShown}
        aria-busy={isShown || undefined}
        className="sticky top-9 self-start max-[60rem]:top-23 max-sm:top-19 [&_.animate-reveal]:animate-none"
      >
        {skeleton}
      </div>
    </div>
  );
}

/** Whether `value` has been the same, and not null, for so many milliseconds. */
function useLastsLongerThan(delayMs: number, value: string | null): boolean {
  const [lasting, setLasting] = useState<string | null>(null);
  useEffect(() => {
    if (value === null) return;
    const timer = setTimeout(() => setLasting(value), delayMs);
    return () => {
      clearTimeout(timer);
      setLasting(null);
    };
  }, [delayMs, value]);
  return value !== null && lasting === value;
}
