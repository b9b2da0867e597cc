import { expect, test } from 'vitest';
import { apiError } from './api-error.ts';
import { serveStream } from './serve-read.ts';

const ownPage = { 'Sec-Fetch-Site': 'same-origin' };

function requestWith(headers: Record<string, string>): Request {
  return new Request('http://localhost:3000/a/x/data/audit-log/export', { headers });
}

test('a stream is passed on only to our own pages', async () => {
  const refuse = () => Promise.reject(new Error('nothing is opened'));
  const response = await serveStream(requestWith({ 'Sec-Fetch-Site': 'same-site' }), refuse);
  expect(response.status).toBe(403);
});

test('a stream is passed on as it comes, and ends where its reader ends it', async () => {
  let made = 0;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        made += 1;
        controller.enqueue(Buffer.from(`line ${made}\n`));
      },
      cancel() {
        isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  const headers = {
    'Content-Type': 'text/csv',
    'X-Total-Count': '1000000',
    'Set-Cookie': 'not=passed',
  };
  const response = await serveStream(requestWith(ownPage), () =>
    Promise.resolve(new Response(body, { headers })),
  );
  expect(Object.fromEntries(response.headers)).toEqual({
    'cache-control': 'no-store',
    'content-type': 'text/csv',
    'x-total-count': '1000000',
  });
  const reader = response.body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('line 1\n');
  expect(made).toBe(1);
  await reader?.cancel();
  expect(isCancelled).toBe(true);
});

test('a HEAD request cancels the stream', async () => {
  const { promise: cancelled, resolve: cancel } = Promise.withResolvers<void>();
  const body = new ReadableStream({ cancel: () => cancel() });
  const request = new Request('http://localhost:3000/', { method: 'HEAD', headers: ownPage });
  const response = await serveStream(request, () => Promise.resolve(new Response(body)));
  expect(response.body).toBeNull();
  await cancelled;
});

test('an error response of the service is passed on as it is', async () => {
  const refusal = apiError('RATE_LIMIT_EXCEEDED', { retryAfter: 60 });
  const response = await serveStream(requestWith(ownPage), () => Promise.reject(refusal));
  expect(response.status).toBe(429);
  expect(await response.json()).toMatchObject({ success: false, error: { retry_after: 60 } });
});
