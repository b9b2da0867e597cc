import { createContext, use } from 'react';

const BasePath = createContext('/');

/** Sets the base path of relative page paths below it. It ends with a slash. */
export const BasePathProvider = BasePath;

/** Makes a page's path full: `settings/webhooks` gets the base path; `/sign-in` stays as it is. */
export function useFullPath(): (page: string) => string {
  const basePath = use(BasePath);
  return (page) => (page.startsWith('/') ? page : basePath + page);
}
