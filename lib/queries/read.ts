import { ApiError, apiError, noResponseMessage } from '../api/api-error.ts';
import type { ErrorCode } from '../contract/error-codes.ts';

/**
 * A browser's read of a route from our server, which has already parsed the service's response. The
 * address names the account, so the data always belongs to the account under which it is cached.
 * @throws ApiError with the service's code and request id; UNAVAILABLE when there was no response,
 * with the cause
 */
export async function fetchData<Body extends object>(
  address: string,
  signal: AbortSignal,
): Promise<Body> {
  const response = await fetch(address, {
    headers: { Accept: 'application/json' },
    signal,
  }).catch((cause: unknown) => {
    if (signal.aborted) throw cause;
    throw apiError('UNAVAILABLE', { message: noResponseMessage(), cause });
  });
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const body = (await response.json().catch(() => null)) as ReadBody<Body> | null;
  if (body?.success === true) return body;
  if (body?.success !== false) {
    throw apiError('UNAVAILABLE', { requestId });
  }
  const { retry_after: retryAfter, ...error } = body.error;
  throw new ApiError({ ...error, status: response.status, retryAfter, requestId });
}

/** Whether there was no response, because the connection failed or broke off. */
export function isConnectionFailure(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'UNAVAILABLE' && error.cause !== undefined;
}

type ReadBody<Body> =
  | ({ success: true } & Body)
  | { success: false; error: { code: ErrorCode; message: string; retry_after?: number } };
