'use client';

import Link from 'next/link';
import type { ComponentProps } from 'react';

import { useFullPath } from './base-path.ts';
import { type Extent, useNavigation } from './navigation.tsx';

export type PageLinkProps = Omit<
  ComponentProps<typeof Link>,
  'prefetch' | 'href' | 'onNavigate' | 'replace' | 'scroll'
> & {
  /** A path as `useFullPath` takes it. */
  href: string;
  /** `tab`: it leads to a tab of the page that it is on. */
  extent?: Extent;
};

/**
 * Links to another page of the dashboard; use it for all such links. From the press until the page
 * is shown it has `data-pressed`.
 *
 * It does not prefetch: Next 16.4 shows an empty page instead of the skeleton, or one without a
 * title, if a link is followed while its prefetch is running (vercel/next.js#98684). Prefetching a
 * long list would also use up the rate limit.
 */
export function PageLink({ href, extent = 'page', ...props }: PageLinkProps) {
  const path = useFullPath()(href);
  const { goTo } = useNavigation();
  return (
    <Link
      {...props}
      href={path}
      prefetch={false}
      data-pressed={useIsPressed(href) || undefined}
      onNavigate={(event) => {
        event.preventDefault();
        goTo(path, 'push', extent);
      }}
    />
  );
}

/** Whether a link to this page was pressed and the page is not shown yet. */
export function useIsPressed(href: string): boolean {
  const path = useFullPath()(href);
  return useNavigation().destination === path;
}
