import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorResponse, sendErrorResponse } from '../../errors/error-response.ts';

const retrySeconds = '2';

/**
 * Refuses a request to the dashboard when too many others wait before it. Browsers reload a page by
 * themselves.
 */
export function refuseBusyPage(
  { headers }: Pick<IncomingMessage, 'headers'>,
  response: ServerResponse,
): void {
  response.setHeader('Retry-After', retrySeconds);
  if (headers.accept?.includes('text/html') !== true) {
    sendErrorResponse(response, errorResponse('UNAVAILABLE'));
    return;
  }
  response.writeHead(503, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
    Refresh: retrySeconds,
  });
  response.end('The dashboard has too much to do right now. This page tries again in 2 seconds.\n');
}
