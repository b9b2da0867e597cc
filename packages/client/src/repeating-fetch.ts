import { setTimeout as pause } from 'node:timers/promises';
import { repeatablePosts } from './generated/api.ts';

export type SendRequest = (request: Request) => Promise<Response>;

export type RepeatOptions = {
  /** How often a call is repeated at most. Default: 3. */
  retries?: number;
  /**
   * How long to wait for a repetition at most, in seconds. If the service asks for a longer wait,
   * its response is returned. Default: 60.
   */
  maxWaitSeconds?: number;
};

/**
 * Sends requests with `send`, and repeats those that got no response, a 429 or a 503, if a
 * repetition cannot take effect twice. A POST gets an `Idempotency-Key` if its operation accepts
 * one; other POSTs, and PATCHes, are never repeated.
 */
export function repeatingFetch(
  send: SendRequest,
  { retries = 3, maxWaitSeconds = 60 }: RepeatOptions,
): SendRequest {
  return async (request) => {
    const { signal } = request;
    const isRepeatable = prepareRepetition(request);
    for (let repetition = 1; ; repetition += 1) {
      const isLast = !isRepeatable || repetition > retries;
      let seconds = (Math.random() * 2 ** repetition) / 4;
      try {
        const response = await send(isLast ? request : request.clone());
        if (isLast) return response;
        if (response.status !== 429 && response.status !== 503) {
          await readToEnd(response);
          return response;
        }
        seconds = secondsToWait(response) ?? seconds;
        if (seconds > maxWaitSeconds) return response;
        await response.body?.cancel();
      } catch (error) {
        if (isLast || signal.aborted) throw error;
      }
      await pause(Math.min(seconds, maxWaitSeconds) * 1000, undefined, { signal }).catch(() =>
        signal.throwIfAborted(),
      );
    }
  };
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
const repeatablePaths = repeatablePosts.map(
  (path) => new RegExp(`${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
);

/** Whether the request can be repeated. Gives it an `Idempotency-Key` if that makes it so. */
function prepareRepetition({ method, url, headers }: Request): boolean {
  if (method !== 'POST') return safeMethods.has(method);
  const { pathname } = new URL(url);
  if (!repeatablePaths.some((path) => path.test(pathname))) return false;
  if (!headers.has('Idempotency-Key')) headers.set('Idempotency-Key', crypto.randomUUID());
  return true;
}

/** JSON that is lost with the connection is lost here, where the call can still be repeated. */
async function readToEnd(response: Response): Promise<void> {
  if (!response.headers.get('Content-Type')?.startsWith('application/json')) return;
  await response.clone().arrayBuffer();
}

/** What `Retry-After` asks for, as seconds or as a date; null if it does not. */
function secondsToWait({ headers }: Response): number | null {
  const value = headers.get('Retry-After') ?? '';
  if (/^\d+$/.test(value)) return Number(value);
  const time = Date.parse(value);
  return Number.isNaN(time) ? null : Math.max(0, (time - Date.now()) / 1000);
}
