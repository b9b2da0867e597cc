import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorResponse, sendErrorResponse } from '../../errors/error-response.ts';
import { sendText } from '../send-text.ts';
import { wantsPage } from './wants-page.ts';

const retrySeconds = '2';

/** Refuses a page when too many requests wait before it. Browsers reload it by themselves. */
export function refuseBusyPage(
  request: Pick<IncomingMessage, 'headers'>,
  response: ServerResponse,
): void {
  response.setHeader('Retry-After', retrySeconds);
  if (!wantsPage(request)) {
    sendErrorResponse(response, errorResponse('UNAVAILABLE'));
    return;
  }
  response.setHeader('Refresh', retrySeconds);
  const message = `The dashboard is busy right now. This page tries again in ${retrySeconds} seconds.`;
  sendText(response, 503, message);
}
