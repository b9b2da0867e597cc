import { Hono } from 'hono';
import { afterEach, expect, test, vi } from 'vitest';
import { hourMs } from '#lib/durations.ts';
import { ThrottledFailures } from '#lib/failures/throttled-failures.ts';
import { loadConfig } from '../../config/load-config.ts';
import { TestLog } from '../../testing/logger.ts';
import { noMetrics } from '../../metrics.ts';
import { handleCall } from '../handle-call.ts';

afterEach(() => vi.useRealTimers());

/** An API of one call, which fails with what `fail` throws. */
function failingApi(fail: () => Error): { log: TestLog; call: () => Promise<Response> } {
  const log = new TestLog();
  const calls = { record: () => undefined };
  const outages = new ThrottledFailures();
  const ctx = {
    log: log.logger,
    config: loadConfig({}),
    outages,
    calls,
    metrics: noMetrics,
    tracing: null,
  };
  const app = new Hono().get(
    '/',
    handleCall(ctx, null, async () => {
      throw fail();
    }),
  );
  return { log, call: async () => await app.request('/') };
}

async function responseTo(error: Error): Promise<Response> {
  return await failingApi(() => error).call();
}

/** The error of the driver as drizzle wraps it. */
const failedQuery = (cause: Error) => new Error('Failed query: select 1', { cause });
const withCode = (code: string) => Object.assign(new Error('…'), { code });

test.each([
  ['a connection lost between two statements', new Error('Client was closed and is not queryable')],
  ['a connection lost during a statement', new Error('Connection terminated unexpectedly')],
  ['no connection in time', new Error('timeout exceeded when trying to connect')],
  ['a session that an operator ended', withCode('57P01')],
  ['a transaction that stood still for too long', withCode('25P03')],
  ['a full disk', withCode('53100')],
  ['a database that may only be read', withCode('25006')],
  ['a database that nobody listens for', withCode('ECONNREFUSED')],
])('%s is 503, and says when to try again', async (_, cause) => {
  const response = await responseTo(failedQuery(cause));
  expect(response.status).toBe(503);
  expect(response.headers.get('Retry-After')).toBe('2');
  expect(await response.json()).toEqual({
    success: false,
    error: {
      code: 'UNAVAILABLE',
      message: 'The service is not available right now. Try again soon.',
    },
  });
});

test('any other failure is 500', async () => {
  const response = await responseTo(failedQuery(withCode('42601')));
  expect(response.status).toBe(500);
  expect(response.headers.get('Retry-After')).toBe(null);
});

const away = () => failedQuery(withCode('ECONNREFUSED'));
const failuresIn = ({ entries }: TestLog) => entries.filter(({ level }) => level >= 50);

test('while the database is away, the log has one error a minute, with the number of calls refused in the meantime', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { log, call } = failingApi(away);
  for (let second = 0; second < 61; second += 1) {
    await call();
    vi.advanceTimersByTime(1000);
  }
  expect(failuresIn(log)).toMatchObject([
    { msg: 'request failed', err: { message: 'Failed query: select 1' } },
    { msg: 'request failed', also_refused: 59 },
  ]);
  expect(failuresIn(log)[0]).not.toHaveProperty('also_refused');
});

test('the first error of an outage does not count the calls refused in an earlier one', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { log, call } = failingApi(away);
  await call();
  await call();
  vi.advanceTimersByTime(hourMs);
  await call();
  expect(failuresIn(log)).toHaveLength(2);
  expect(failuresIn(log)[1]).not.toHaveProperty('also_refused');
});

test('a failure of another kind is logged immediately', async () => {
  const errors = [away(), failedQuery(withCode('53100')), away()];
  const { log, call } = failingApi(() => errors.pop() ?? away());
  for (let calls = 0; calls < 3; calls += 1) await call();
  expect(failuresIn(log)).toHaveLength(2);
});

test('each unexpected failure is logged', async () => {
  const { log, call } = failingApi(() => new TypeError('x is undefined'));
  await call();
  await call();
  expect(failuresIn(log)).toHaveLength(2);
});
