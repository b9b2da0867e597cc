import { expect, test } from 'vitest';
import { processorTimeOf } from './processor-time.ts';

test.runIf(process.platform === 'linux')('is what the process itself says', () => {
  const before = process.cpuUsage();
  const seen = processorTimeOf(process.pid);
  const after = process.cpuUsage();
  // Two ticks, one of user and one of system time, may be lost by rounding down.
  expect(seen).toBeGreaterThan(before.user + before.system - 20_001);
  expect(seen).toBeLessThanOrEqual(after.user + after.system + 20_000);
});

test('is unknown for a process that does not exist', () => {
  expect(processorTimeOf(2 ** 30)).toBeNull();
});
