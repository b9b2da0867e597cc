import type { IncomingMessage } from 'node:http';

/** Whether a person sees the response in a browser. */
export function wantsPage({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes('text/html') === true;
}
