import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPostgresDatabase } from '../../testing/databases/postgres-database.ts';
import { TestLog } from '../../testing/logger.ts';
import { createPostgresNotifier } from './postgres-notifier.ts';

const channels = ['a', 'b', 'c', 'd', 'e', 'f'];
const log = new TestLog();
let database: Awaited<ReturnType<typeof createPostgresDatabase>>;

beforeAll(async () => {
  database = await createPostgresDatabase();
});
afterAll(async () => {
  await database.drop();
  log.assertNoUnexpectedErrors();
});

test('channels that are subscribed to at the same time are requested one after another, as the driver requires', async () => {
  const warnings: Error[] = [];
  const keep = (warning: Error) => warnings.push(warning);
  process.on('warning', keep);
  const pool = new pg.Pool({ connectionString: database.url });
  const options = { connectionString: database.url, pool, log: log.logger };
  const notifier = createPostgresNotifier(options);
  const heard = new Set<string>();
  const hears = async (names: readonly string[]) => {
    for (const name of names) await notifier.publish(name, '');
    return names.every((name) => heard.has(name));
  };
  notifier.subscribe('first', () => heard.add('first'));
  await expect.poll(() => hears(['first'])).toBe(true);
  // The client is connected now, so each `listen` is sent immediately.
  for (const channel of channels) notifier.subscribe(channel, () => heard.add(channel));
  await expect.poll(() => hears(channels)).toBe(true);
  process.off('warning', keep);
  await notifier.close();
  await pool.end();
  expect(warnings).toEqual([]);
});
