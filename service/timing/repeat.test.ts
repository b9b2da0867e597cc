import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TestLog } from '../testing/logger.ts';
import { repeat } from './repeat.ts';

let log: TestLog;
let failure: Error | null;
let job: { stop(): Promise<void> };
const away = (statement: string) =>
  new Error(`Failed query: ${statement}`, {
    cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
  });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  log = new TestLog();
  failure = null;
  const act = async () => {
    if (failure) throw failure;
  };
  job = repeat({ everyMs: 1000, act, log: log.logger, failure: 'the job failed' });
});
afterEach(async () => {
  await job.stop();
  vi.useRealTimers();
});

async function passSeconds(seconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(seconds * 1000);
}

test('a failure that lasts is logged once a minute, regardless of its statements', async () => {
  failure = away('select 1');
  await passSeconds(30);
  failure = away('select 2');
  await passSeconds(30);
  expect(log.entries).toMatchObject([{ level: 50, msg: 'the job failed' }]);
  await passSeconds(1);
  expect(log.entries).toHaveLength(2);
});

test('another failure, and one after a success, is logged immediately', async () => {
  failure = away('select 1');
  await passSeconds(2);
  failure = new Error('permission denied');
  await passSeconds(2);
  expect(log.entries).toHaveLength(2);
  failure = null;
  await passSeconds(1);
  failure = new Error('permission denied');
  await passSeconds(1);
  expect(log.entries).toHaveLength(3);
});
