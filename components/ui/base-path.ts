'use client';

import { createContext, use } from 'react';

const BasePath = createContext('/');

/** Where the pages are that links below it name without a slash at the beginning. Ends in a slash. */
export const BasePathProvider = BasePath;

/** Gives the whole address of a page: `settings/webhooks` of the root; `/sign-in` as it is. */
export function useFullPath(): (page: string) => string {
  const basePath = use(BasePath);
  return (page) => (page.startsWith('/') ? page : basePath + page);
}
