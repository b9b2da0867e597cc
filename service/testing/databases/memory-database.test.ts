import { afterEach, expect, test, vi } from 'vitest';
import { TestLog } from '../logger.ts';
import { openMemoryDatabase } from './memory-database.ts';

afterEach(() => void vi.useRealTimers());

test('an idle database leaves no timer in the clock that a test has put in place of the real one', async () => {
  const database = await openMemoryDatabase(new TestLog().logger);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await database.close();
  expect(vi.getTimerCount()).toBe(0);
});
