import 'server-only';
import { isSameOrigin } from '../session/same-origin.ts';
import { ApiError, apiError } from './api-error.ts';

/**
 * Responds to a browser's refetch with the result of `read`, or with the service's error and its
 * status. The request id is sent as `X-Request-Id`. Only for our own pages; never cached.
 */
export async function serveRead(request: Request, read: () => Promise<unknown>): Promise<Response> {
  return await respondToOwnPage(request, async () =>
    Response.json({ success: true, data: await read() }, { headers: noStore }),
  );
}

/**
 * Streams a text of any length from the service to the browser: nothing of it is kept, and the
 * service stops when the browser does.
 */
export async function serveStream(
  request: Request,
  open: () => Promise<Response>,
): Promise<Response> {
  return await respondToOwnPage(request, async () => {
    const response = await open();
    const headers = new Headers(noStore);
    for (const name of passedHeaders) {
      const value = response.headers.get(name);
      if (value !== null) headers.set(name, value);
    }
    if (request.method !== 'HEAD') return new Response(response.body, { headers });
    // For HEAD, Next never reads the body, so the service would keep the response open.
    await response.body?.cancel();
    return new Response(null, { headers });
  });
}

async function respondToOwnPage(
  request: Request,
  respond: () => Promise<Response>,
): Promise<Response> {
  try {
    if (!isSameOrigin(request.headers)) throw apiError('FORBIDDEN');
    return await respond();
  } catch (error) {
    if (error instanceof ApiError) return respondWithError(error);
    throw error;
  }
}

const passedHeaders = ['Content-Type', 'Content-Disposition', 'X-Total-Count', 'X-Request-Id'];

const noStore = { 'Cache-Control': 'no-store' };

/** The service's error as a response to a browser, with its status. */
export function respondWithError(error: ApiError): Response {
  const { code, message, details, retryAfter, requestId, status } = error;
  return Response.json(
    { success: false, error: { code, message, details, retry_after: retryAfter } },
    {
      status,
      headers: { ...noStore, ...(requestId === undefined ? {} : { 'X-Request-Id': requestId }) },
    },
  );
}
