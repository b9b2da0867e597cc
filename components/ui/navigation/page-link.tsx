'use client';

import Link from 'next/link';
import type { ComponentProps } from 'react';

import { useFullPath } from './base-path.ts';

export type PageLinkProps = Omit<ComponentProps<typeof Link>, 'prefetch' | 'href'> & {
  /** A path as `useFullPath` takes it. */
  href: string;
};

/**
 * Links to another page of the dashboard; use it for all such links. It does not prefetch: Next
 * 16.4 shows an empty page instead of the skeleton, or one without a title, if a link is followed
 * while its prefetch is running (vercel/next.js#98684). Prefetching a long list would also use up
 * the rate limit.
 */
export function PageLink({ href, ...props }: PageLinkProps) {
  const fullPath = useFullPath();
  return <Link {...props} href={fullPath(href)} prefetch={false} />;
}
