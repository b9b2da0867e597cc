// oxlint-disable-next-line no-restricted-imports -- expect.poll leaves timers of its own open
import { setTimeout as sleep } from 'node:timers/promises';
import { format } from 'node:util';
import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest';

// A test that expects an error on the console replaces this spy.
const unexpected: string[] = [];
beforeEach(() => {
  unexpected.length = 0;
  vi.spyOn(console, 'error').mockImplementation((...args: unknown[]) => {
    unexpected.push(format(...args));
  });
});
afterEach(() => {
  expect(unexpected, 'nothing unexpected on console.error').toEqual([]);
});

// Open resources after the last test, which would keep the process alive, were left by a test. A
// single timer is the runner's own, of up to 100 ms, for which a file need not wait: beside a timer
// that a test left, it makes two.
const watched = new Set(['Timeout', 'TCPServerWrap', 'TCPSocketWrap', 'ProcessWrap']);
// On a busy machine, the runner's own timer can stay as long as its main process does not respond.
const closingTimeMs = 10_000;
afterAll(async () => {
  const deadline = performance.now() + closingTimeMs;
  let open = listOpen();
  if (open.length === 1 && open[0] === 'Timeout') return;
  while (open.length > 0 && performance.now() < deadline) {
    await sleep(10);
    open = listOpen();
  }
  expect(open, 'left open after the last test').toEqual([]);
});

function listOpen(): string[] {
  return process.getActiveResourcesInfo().filter((resource) => watched.has(resource));
}
