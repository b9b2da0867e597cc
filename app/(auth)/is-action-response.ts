import { headers } from 'next/headers';

/**
 * Whether a page is rendered as the answer to an action on it. Next does that after an action that
 * set cookies; the page shall stay as it is then, since its form leads on by itself.
 */
export async function isActionResponse(): Promise<boolean> {
  return (await headers()).has('next-action');
}
