import { expect, test } from 'vitest';
import { TestLog } from '../../testing/logger.ts';
import { socketsWithin } from './sockets-within.ts';

test.each([
  [2048, 1_048_576, 2048],
  [2048, 2560, 2048],
  [2048, Infinity, 2048],
  [256, 600, 256],
  [2048, 1024, 512],
  [2048, 2500, 1988],
  [2048, 256, 128],
])(
  'of %d sockets within %d files %d are given, and the log says so if that is fewer',
  (asked, openFiles, sockets) => {
    const { logger, entries } = new TestLog();
    expect(socketsWithin(asked, { log: logger }, openFiles)).toBe(sockets);
    const warning = { level: 40, msg: expect.stringMatching(/WEBHOOK_MAX_SOCKETS/) };
    expect(entries).toMatchObject(sockets < asked ? [warning] : []);
  },
);

test('the limit of the current process is known', () => {
  const { logger } = new TestLog();
  expect(socketsWithin(1, { log: logger })).toBe(1);
});
