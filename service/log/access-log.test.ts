import { expect, test } from 'vitest';
import { TestLog } from '../testing/logger.ts';
import { createAccessLog } from './access-log.ts';
import type { AccessEntry } from './access-log.ts';
import { createLogger } from './log.ts';

const entry: AccessEntry = {
  request_id: 'r-1',
  method: 'GET',
  route: 'listWebhooks',
  status: 200,
  duration_ms: 1.5,
  ip: '203.0.113.7',
  account_id: 'c1b5c7de-4a8e-4d4c-9f5e-2b7a93d6e8fa',
  actor: 'key:7',
};

test('a request has one line, in the format of the logger', () => {
  const log = new TestLog();
  log.logger.info({ route: 'listWebhooks' }, 'request');
  createAccessLog(log.logger, 'all')(entry);
  const [usual, written] = log.entries;
  expect(written).toEqual({ ...usual, ...entry, time: expect.any(Number) });
});

test.each([
  ['all', [200, 302, 400, 500]],
  ['errors', [400, 500]],
  ['off', []],
] as const)('LOG_ACCESS=%s writes the requests with the responses %j', (choice, statuses) => {
  const log = new TestLog();
  const logAccess = createAccessLog(log.logger, choice);
  for (const status of [200, 302, 400, 500]) logAccess({ ...entry, status });
  expect(log.entries.map(({ status }) => status)).toEqual(statuses);
});

test('a logger of a higher level writes no requests', () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  createAccessLog(createLogger({ level: 'warn', isPretty: false, destination }), 'all')(entry);
  expect(lines).toEqual([]);
});
