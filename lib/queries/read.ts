import { accountPath, supportDeskPath } from '../paths/account-path.ts';
import { ApiError, apiError } from '../api/api-error.ts';
import type { ErrorCode } from '../contract/error-codes.ts';

/**
 * A browser's refetch from one of our handlers below `/a/{account}/data/`, which has already parsed
 * the service's response. The URL names the account, so the data always belongs to the account
 * under which it is cached.
 * @throws ApiError with the service's code and request id; UNAVAILABLE when there was no response,
 * with the cause
 */
export async function read<Data>(
  accountId: string,
  path: string,
  signal: AbortSignal,
): Promise<Data> {
  return await readFrom(accountPath(accountId, `data/${path}`), signal);
}

/** The same from a handler of the support desk, whose data is of all accounts. */
export async function readDesk<Data>(path: string, signal: AbortSignal): Promise<Data> {
  return await readFrom(`${supportDeskPath}/data/${path}`, signal);
}

async function readFrom<Data>(address: string, signal: AbortSignal): Promise<Data> {
  const response = await fetch(address, {
    headers: { Accept: 'application/json' },
    signal,
  }).catch((cause: unknown) => {
    if (signal.aborted) throw cause;
    throw apiError('UNAVAILABLE', { cause });
  });
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const body = (await response.json().catch(() => null)) as ReadBody<Data> | null;
  if (body?.success === true) return body.data;
  if (body?.success !== false) {
    throw apiError('UNAVAILABLE', { requestId });
  }
  const { retry_after: retryAfter, ...error } = body.error;
  throw new ApiError({ ...error, status: response.status, retryAfter, requestId });
}

/** Before the first page of a list, whose pages are found by cursor. */
export const firstCursor: string | null = null;

/** Whether there was no response, because the connection failed or broke off. */
export function isConnectionFailure(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'UNAVAILABLE' && error.cause !== undefined;
}

type ReadBody<Data> =
  | { success: true; data: Data }
  | { success: false; error: { code: ErrorCode; message: string; retry_after?: number } };
