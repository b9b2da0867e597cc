import { headers } from 'next/headers';

/**
 * Whether Next renders the page as part of the response to a server action. It does so after an
 * action that sets cookies. The page must then stay as it is, because its form navigates by itself.
 */
export async function isActionResponse(): Promise<boolean> {
  return (await headers()).has('next-action');
}
