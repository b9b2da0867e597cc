import { expect, test } from 'vitest';
import { processorTimeOf } from './processor-time.ts';

test.runIf(process.platform === 'linux')('is what the process itself says', () => {
  const before = process.cpuUsage();
  const seen = processorTimeOf(process.pid);
  const after = process.cpuUsage();
  // Two ticks, of user and of system time, may be rounded down.
  expect(seen).toBeGreaterThan(before.user + before.system - 20_001);
  expect(seen).toBeLessThanOrEqual(after.user + after.system + 20_000);
});

test('is unknown of a process that there is not', () => {
  expect(processorTimeOf(2 ** 30)).toBeNull();
});
