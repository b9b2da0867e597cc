'use client';

import type { ReactNode } from 'react';

import {
  type NavigationScope,
  usePendingNavigation,
} from '#components/ui/navigation/navigation.tsx';

export type PageAreaProps = {
  /** Stands in for the page that is being opened; nothing while none is. */
  skeleton: ReactNode;
  /** The page. */
  children: ReactNode;
  /** `tab`: it is the tab of a page, which gives way to another tab alone. */
  extent?: NavigationScope;
};

/**
 * The page, and in place of it from the press of a link on a skeleton of the next one. The skeleton
 * comes from the browser, because on a slow link the server's first byte already takes too long. Its
 * grey bars fade in, so that on a quick link they hardly flash.
 */
export function PageArea({ skeleton, children, extent = 'page' }: PageAreaProps) {
  const isShown = usePendingNavigation()?.extent === extent;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] *:[grid-area:1/1]">
      {/* It keeps its height, and with it the scroll position to which Back returns. It stays in
          sight where the next page has no skeleton. `content-visibility` skips it, where `visibility`
          would recalculate the style of every element in it. */}
      <div className="min-w-0 [contain-intrinsic-block-size:auto_100dvh] has-[+:not([hidden],:empty)]:[content-visibility:hidden] not-supports-[content-visibility:hidden]:has-[+:not([hidden],:empty)]:invisible">
        {children}
      </div>
      <div
        hidden={!isShown}
        aria-busy={isShown || undefined}
        className="sticky top-9 self-start max-[60rem]:top-23 max-sm:top-19 [&_.animate-reveal]:[animation-delay:0s]"
      >
        {skeleton}
      </div>
    </div>
  );
}
