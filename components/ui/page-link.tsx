'use client';

import Link from 'next/link';
import type { ComponentProps } from 'react';

import { useFullPath } from './base-path.ts';

export type PageLinkProps = Omit<ComponentProps<typeof Link>, 'prefetch' | 'href'> & {
  /** As `usePageAddress` reads it. */
  href: string;
};

/**
 * The one way to link to another page of the dashboard. It fetches nothing before it is followed:
 * Next 16.4 shows an empty page in place of the skeleton, or one without a title, when a link is
 * followed while what it fetches ahead is still on its way (vercel/next.js#98684). Nor do the
 * links of a long list use up a minute's calls.
 */
export function PageLink({ href, ...props }: PageLinkProps) {
  const fullPath = useFullPath();
  return <Link {...props} href={fullPath(href)} prefetch={false} />;
}
