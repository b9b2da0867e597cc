import { expect, test } from 'vitest';
import { Shutdown } from './shutdown.ts';
import { TestLog } from '../testing/logger.ts';

/** A shutdown that records which exit codes it would have used, and which parts it stopped. */
function prepare(limitMs?: number) {
  const log = new TestLog();
  const codes: number[] = [];
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const stopped: string[] = [];
  const shutdown = new Shutdown((code) => {
    codes.push(code);
    resolve();
  }, limitMs);
  shutdown.logTo(log.logger);
  const part = (name: string, act: () => Promise<void> = async () => undefined) => ({
    name,
    async stop() {
      await act();
      stopped.push(name);
    },
  });
  return { log, codes, ended, stopped, shutdown, part };
}

test('the part that was started last is stopped first, and the process ends with 0', async () => {
  const { shutdown, part, stopped, codes } = prepare();
  for (const name of ['database', 'mail', 'usage']) shutdown.add(part(name));
  await shutdown.end(0);
  expect(stopped).toEqual(['usage', 'mail', 'database']);
  expect(codes).toEqual([0]);
});

test('a part that was still starting when the stop began is stopped too', async () => {
  const { shutdown, part, stopped } = prepare();
  shutdown.add(part('database', async () => shutdown.add(part('listener'))));
  await shutdown.end(0);
  expect(stopped).toEqual(['listener', 'database']);
});

test('parts that wait for others are stopped first, all at the same time', async () => {
  const { shutdown, part, stopped } = prepare();
  const { promise: workerStopped, resolve } = Promise.withResolvers<void>();
  shutdown.add(part('database'));
  shutdown.add({ ...part('worker', async () => resolve()), waitsForOthers: true });
  shutdown.add(part('mail'));
  // If the worker had to stop first, this would wait forever.
  shutdown.add({ ...part('listener', () => workerStopped), waitsForOthers: true });
  await shutdown.end(0);
  expect(stopped).toEqual(['worker', 'listener', 'mail', 'database']);
});

test('a part that fails to stop does not delay the others, is logged, and the process ends with 1', async () => {
  const { shutdown, part, stopped, codes, log } = prepare();
  shutdown.add(part('database'));
  shutdown.add(part('mail', () => Promise.reject(new Error('no room'))));
  await shutdown.end(0);
  expect(stopped).toEqual(['database']);
  expect(codes).toEqual([1]);
  expect(log.entries.map(({ msg }) => msg)).toEqual(['mail did not stop cleanly']);
});

test('a part that never stops is named in the log, and the process ends anyway', async () => {
  const { shutdown, part, ended, codes, log } = prepare(20);
  shutdown.add(part('database'));
  shutdown.add(part('mail', () => new Promise(() => undefined)));
  void shutdown.end(0);
  await ended;
  expect(codes).toEqual([1]);
  expect(log.entries).toMatchObject([{ parts: ['mail'] }]);
});

test('an error during the shutdown changes the exit code, and no part is stopped twice', async () => {
  const { shutdown, part, stopped, codes } = prepare();
  shutdown.add(part('database', () => shutdown.end(1)));
  expect(shutdown.isStopping).toBe(false);
  await shutdown.end(0);
  expect(stopped).toEqual(['database']);
  expect(codes).toEqual([1]);
});
