import type { IncomingMessage } from 'node:http';
import type { Budget } from '../../../concurrency/budget.ts';
import type { Config } from '../../../config/load-config.ts';
import { subscriberOf } from '../../../network/networks.ts';
import { readWholeRequest } from '../../../network/whole-request.ts';
import type { PageHandler } from '../../../pages/next-pages.ts';
import { errorResponse, sendErrorResponse } from '../../errors/error-response.ts';
import { addressSignatureHeader } from '../client/address-signer.ts';
import type { AddressSigner } from '../client/address-signer.ts';
import { setHeader } from '../client/sanitize-headers.ts';
import type { RequestOrigin } from '../client/sanitize-headers.ts';
import { refuseLargeBody } from '../refuse-large-body.ts';
import type { ResponseWithHeaders } from '../response-with-headers.ts';
import { sendText } from '../send-text.ts';
import { isReadableByNext } from './is-readable-by-next.ts';
import { refuseBusyPage } from './refuse-busy-page.ts';
import { refusePage } from './refuse-page.ts';
import { wantsPage } from './wants-page.ts';

/** Forms are small. Next itself would accept a body of megabytes from anyone. */
const maxPageBodyBytes = 65_536;

const unreadableArguments = {
  body: ['The dashboard cannot read this request. Reload the page and try again.'],
};

/** Passes a request to `pages`, unless Next could not cope with it or must not see it. */
export async function respondWithPage(
  request: IncomingMessage,
  response: ResponseWithHeaders,
  {
    origin,
    publicUrl,
    signer,
    bodies,
    pages,
  }: {
    origin: RequestOrigin;
    publicUrl: Config['publicUrl'];
    signer: AddressSigner;
    bodies: Budget;
    pages: PageHandler;
  },
): Promise<void> {
  if (!request.url?.startsWith('/_next/static/')) response.preventCaching();
  // Next responds with 500 to some of these.
  if (!hasDecodablePath(request)) {
    if (wantsPage(request)) sendText(response, 400, 'This URL contains an invalid % sequence.');
    else sendErrorResponse(response, errorResponse('BAD_REQUEST'));
    return;
  }
  const refusal = refusePage(request, { ...origin, publicUrl });
  if (refusal) {
    if (refusal.status === 405) response.setHeader('Allow', refusal.allowed);
    sendText(response, refusal.status, refusal.message);
    return;
  }
  const read = await readBody(request, { sender: subscriberOf(origin.address), bodies });
  if (read === 'gone') return;
  if (read === 'no memory') {
    refuseBusyPage(request, response);
    return;
  }
  if (read === 'too large') {
    refuseLargeBody(request, response, 'The dashboard accepts at most 64 KiB per request.');
    return;
  }
  const { whole, body } = read;
  if (!isReadableByNext(whole, body)) {
    sendErrorResponse(response, errorResponse('VALIDATION_ERROR', unreadableArguments));
    return;
  }
  setForwardedHeaders(whole, origin, publicUrl);
  setHeader(whole, addressSignatureHeader, signer.sign(origin.address));
  // Where pages are rendered in this process, Next and its compression wait for the end of a
  // response in more places than Node.js expects: each page would be logged as a leak.
  response.setMaxListeners(30);
  await pages(whole, response);
}

/** Reserves memory for a body while it arrives, because anyone can send one slowly. */
async function readBody(
  request: IncomingMessage,
  { sender, bodies }: { sender: string; bodies: Budget },
): ReturnType<typeof readWholeRequest> {
  const memory = bodies.reserve(sender);
  try {
    return await readWholeRequest(request, maxPageBodyBytes, memory.growTo);
  } finally {
    memory.release();
  }
}

function hasDecodablePath({ url = '' }: IncomingMessage): boolean {
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '');
    return true;
  } catch {
    return false;
  }
}

/** Next compares origins with these headers and builds URLs from them. */
function setForwardedHeaders(
  request: IncomingMessage,
  origin: RequestOrigin,
  publicUrl: URL,
): void {
  const host = origin.host ?? publicUrl.host;
  const protocol = host === publicUrl.host ? publicUrl.protocol : 'http:';
  request.headers.host = host;
  setHeader(request, 'x-forwarded-host', host);
  setHeader(request, 'x-forwarded-proto', protocol.slice(0, -1));
  setHeader(request, 'x-forwarded-for', origin.address);
}
