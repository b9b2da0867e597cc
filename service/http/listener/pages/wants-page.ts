import type { IncomingMessage } from 'node:http';

/** Whether the client is a browser that loads a page: people then see the response as text. */
export function wantsPage({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers.accept?.includes('text/html') === true;
}
