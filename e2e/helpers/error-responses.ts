import type { ProxyResponse } from './servers/api-proxy.ts';

/** The documented error envelope. */
export function refusal(
  status: number,
  error: object,
  requestId = 'req-from-the-test',
): ProxyResponse {
  return {
    status,
    body: { success: false, error },
    headers: { 'x-request-id': requestId },
  };
}

export const rateLimited = (seconds: number) =>
  refusal(429, {
    code: 'RATE_LIMIT_EXCEEDED',
    message: 'Too many requests. Please slow down.',
    retry_after: seconds,
  });

export const broken = () =>
  refusal(500, { code: 'INTERNAL_ERROR', message: 'Something went wrong.' });
