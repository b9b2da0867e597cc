import { expect, test } from 'vitest';
import { Shutdown } from './shutdown.ts';
import { TestLog } from '../testing/logger.ts';

/** A shutdown that says with which codes it would have ended the process, and what it stopped. */
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

test('what was started last is stopped first, and the process ends with 0', async () => {
  const { shutdown, part, stopped, codes } = prepare();
  for (const name of ['database', 'mail', 'usage']) shutdown.add(part(name));
  await shutdown.end(0);
  expect(stopped).toEqual(['usage', 'mail', 'database']);
  expect(codes).toEqual([0]);
});

test('what waits for others is stopped first, and at the same time', async () => {
  const { shutdown, part, stopped } = prepare();
  const { promise: workerStopped, resolve } = Promise.withResolvers<void>();
  shutdown.add(part('database'));
  shutdown.add({ ...part('worker', async () => resolve()), waitsForOthers: true });
  shutdown.add(part('mail'));
  // It would wait for ever if the worker had to wait for it.
  shutdown.add({ ...part('listener', () => workerStopped), waitsForOthers: true });
  await shutdown.end(0);
  expect(stopped).toEqual(['worker', 'listener', 'mail', 'database']);
});

test('a part that fails to stop keeps no other up, is logged, and the process ends with 1', async () => {
  const { shutdown, part, stopped, codes, log } = prepare();
  shutdown.add(part('database'));
  shutdown.add(part('mail', () => Promise.reject(new Error('no room'))));
  await shutdown.end(0);
  expect(stopped).toEqual(['database']);
  expect(codes).toEqual([1]);
  expect(log.entries.map(({ msg }) => msg)).toEqual(['mail did not stop cleanly']);
});

test('a part that never stops is named, and the process ends all the same', async () => {
  const { shutdown, part, ended, codes, log } = prepare(20);
  shutdown.add(part('database'));
  shutdown.add(part('mail', () => new Promise(() => undefined)));
  void shutdown.end(0);
  await ended;
  expect(codes).toEqual([1]);
  expect(log.entries).toMatchObject([{ parts: ['mail'] }]);
});

test('an error met while it stops changes the exit code, and nothing is stopped twice', async () => {
  const { shutdown, part, stopped, codes } = prepare();
  shutdown.add(part('database', () => shutdown.end(1)));
  expect(shutdown.isStopping).toBe(false);
  await shutdown.end(0);
  expect(stopped).toEqual(['database']);
  expect(codes).toEqual([1]);
});
