import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { loadConfig } from '../../config/load-config.ts';
import { TestLog } from '../../testing/logger.ts';
import { serve } from '../serve.ts';

async function responseTo(error: Error): Promise<Response> {
  const { logger: log } = new TestLog();
  const app = new Hono().get(
    '/',
    serve({ log, config: loadConfig({}) }, null, async () => {
      throw error;
    }),
  );
  return await app.request('/');
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
