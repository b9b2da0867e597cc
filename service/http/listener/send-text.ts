import type { ServerResponse } from 'node:http';

export function sendText(response: ServerResponse, status: number, message: string): void {
  // Next passes the text on to the page that called an action only if this is exactly its type.
  const isAction = response.req.headers['next-action'] !== undefined;
  response.writeHead(status, {
    'Content-Type': isAction ? 'text/plain' : 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
  });
  response.end(`${message}\n`);
}
