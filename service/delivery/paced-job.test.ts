import { expect, test, vi } from 'vitest';
import { PacedJob } from './paced-job.ts';

function jobThatWaits() {
  const gates: PromiseWithResolvers<void>[] = [];
  const job = new PacedJob({
    act() {
      const gate = Promise.withResolvers<void>();
      gates.push(gate);
      return gate.promise;
    },
    onError: () => undefined,
  });
  return { job, gates };
}

test('requests in one turn are served by one run, and requests during that run by one more', async () => {
  const { job, gates } = jobThatWaits();
  job.request();
  job.request();
  await expect.poll(() => gates.length).toBe(1);
  job.request();
  job.request();
  gates[0]?.resolve();
  await expect.poll(() => gates.length).toBe(2);
  gates[1]?.resolve();
  await job.stop();
  expect(gates).toHaveLength(2);
});

test('a sooner request overrides a later one', async () => {
  const act = vi.fn(async () => undefined);
  const job = new PacedJob({ act, onError: () => undefined });
  job.request(60_000);
  job.request();
  await expect.poll(() => act.mock.calls.length).toBe(1);
  await job.stop();
});

test('stopping waits for the current run and begins no other', async () => {
  const { job, gates } = jobThatWaits();
  job.request();
  await expect.poll(() => gates.length).toBe(1);
  job.request();
  const stopped = job.stop();
  gates[0]?.resolve();
  await stopped;
  job.request();
  expect(gates).toHaveLength(1);
});

test('an error is passed on, and the next request runs again', async () => {
  const errors: unknown[] = [];
  const job = new PacedJob({
    act: () => Promise.reject(new Error('no')),
    onError: (error) => errors.push(error),
  });
  job.request();
  await expect.poll(() => errors.length).toBe(1);
  job.request();
  await expect.poll(() => errors.length).toBe(2);
  await job.stop();
});
