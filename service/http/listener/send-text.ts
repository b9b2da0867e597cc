import type { ServerResponse } from 'node:http';

/** @param message only of ASCII characters */
export function sendText(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, {
    // Exactly this: Next passes on the text of no other type to the page that called an action.
    'Content-Type': 'text/plain',
    'Cache-Control': 'no-store',
  });
  response.end(`${message}\n`);
}
