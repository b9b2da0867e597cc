import { afterEach, expect, test, vi } from 'vitest';
import { TestLog } from '../logger.ts';
import { openMemoryDatabase } from './memory-database.ts';

afterEach(() => void vi.useRealTimers());

test('an idle database leaves no timer in a fake clock of a test', async () => {
  const database = await openMemoryDatabase(new TestLog().logger);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await database.close();
  expect(vi.getTimerCount()).toBe(0);
});
