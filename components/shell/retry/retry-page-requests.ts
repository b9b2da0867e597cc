import type { ReportFailedRead } from './failed-reads.tsx';

/**
 * Retries requests for pages as long as the service can't be reached. Without this, Next does a
 * full page load when its request fails, which ends on the browser's own error page while the
 * service restarts.
 *
 * It patches `window.fetch`, because Next calls that and offers no other way to intercept its
 * requests. Next's own setting for this, `experimental.useOffline`, also repeats server actions,
 * which could then happen twice.
 *
 * @returns a function that ends this
 */
export function retryPageRequests(report: ReportFailedRead): () => void {
  const send = window.fetch;
  let count = 0;
  window.fetch = (input, init) => {
    if (!isForPage(init)) return send(input, init);
    count += 1;
    return untilAnswered(() => send(input, init), { id: `page request ${count}`, report });
  };
  return () => {
    window.fetch = send;
  };
}

/** Next reads pages and their parts with this header. */
function isForPage({ method = 'GET', headers }: RequestInit = {}): boolean {
  return method === 'GET' && new Headers(headers).has('rsc');
}

async function untilAnswered(
  send: () => Promise<Response>,
  { id, report }: { id: string; report: ReportFailedRead },
): Promise<Response> {
  let onSettled = () => {};
  for (;;) {
    const response = await send().catch(nullIfUnreachable);
    onSettled();
    if (response !== null && !isFromProxy(response)) {
      report(id, null);
      return response;
    }
    onSettled = await new Promise<() => void>((tryAgain) => {
      report(id, {
        failedAt: Date.now(),
        rateLimitSeconds: null,
        readAgain: () => new Promise<void>((settled) => tryAgain(settled)),
      });
    });
  }
}

function nullIfUnreachable(cause: unknown): null {
  if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
  return null;
}

/** The status codes with which a proxy responds while the service behind it is unavailable. */
function isFromProxy({ status }: Response): boolean {
  return status === 502 || status === 503 || status === 504;
}
