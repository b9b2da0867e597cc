import type { ReactNode } from 'react';
import {
  type NavigationExtent,
  usePendingNavigation,
} from '#components/ui/navigation/navigation.tsx';

export type PageAreaProps = {
  /** Shown in place of the page while another page is being opened; renders nothing otherwise. */
  skeleton: ReactNode;
  children: ReactNode;
  /** `tab`: it replaces only the tab of a page, for another tab. */
  extent?: NavigationExtent;
};

/**
 * The page. From the press of a link until the next page is shown, a skeleton of that page replaces
 * it. The skeleton is rendered in the browser, because on a slow connection even the first byte of
 * the server's response takes too long. Its gray bars fade in, so that they hardly flash on a fast
 * connection.
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
