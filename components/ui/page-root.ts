'use client';

import { createContext, use } from 'react';

const PageRoot = createContext('/');

/** Where the pages are that links below it name without a slash at the beginning. Ends in a slash. */
export const PageRootProvider = PageRoot;

/** Gives the whole address of a page: `settings/webhooks` of the root; `/sign-in` as it is. */
export function usePageAddress(): (page: string) => string {
  const root = use(PageRoot);
  return (page) => (page.startsWith('/') ? page : root + page);
}
