import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bootContext } from '../../../boot/boot-context.ts';
import { loadConfig } from '../../../config/load-config.ts';
import type { Context } from '../../../context.ts';
import { openDatabase } from '../../../db/open.ts';
import type { OpenDatabase } from '../../../db/open.ts';
import { TestApi } from '../../../testing/api.ts';
import { FakeClock } from '../../../testing/clock.ts';
import { createMigratedPostgres } from '../../../testing/databases/postgres-database.ts';
import { TestLog } from '../../../testing/logger.ts';
import { addWebhooksWithoutSecret } from '../../../testing/records/webhooks-without-secret.ts';
import { regenerateSecret } from './regenerate-secret.ts';

const log = new TestLog();
const databases: OpenDatabase[] = [];
let fresh: Awaited<ReturnType<typeof createMigratedPostgres>>;
let boot: () => Promise<Context>;
beforeAll(async () => {
  fresh = await createMigratedPostgres();
  const config = loadConfig({
    DATABASE_URL: fresh.url,
    SECRET_KEY: randomBytes(32).toString('base64'),
  });
  boot = async () => {
    const database = await openDatabase({ config, log: log.logger });
    databases.push(database);
    return await bootContext({ config, database, clock: new FakeClock(), log: log.logger });
  };
});
afterAll(async () => {
  for (const database of databases) await database.close();
  await fresh.drop();
  log.assertNoUnexpectedErrors();
});

test('processes that start at once give each webhook one secret, also while one is regenerated', async () => {
  const first = await boot();
  const account = await new TestApi(first).account();
  const owner = await account.member('owner');
  const added = await addWebhooksWithoutSecret(first.db, account.id, 250);
  const regenerated = added[150];
  if (!regenerated) throw new Error('too few webhooks were added');

  await Promise.all([
    ...Array.from({ length: 4 }, boot),
    regenerateSecret(first, owner, { webhook: String(regenerated.id) }),
  ]);

  const secrets = await first.db.query.webhookSecrets.findMany();
  const newest = secrets.filter(({ validUntil }) => validUntil === null);
  expect(newest.map(({ webhookId }) => webhookId).toSorted((a, b) => a - b)).toEqual(
    added.map(({ id }) => id),
  );
  const shown = newest.filter(({ shownTo }) => shownTo !== null);
  expect(shown.map(({ webhookId }) => webhookId)).toEqual([regenerated.id]);
  const audited = await first.db.query.auditEntries.findMany();
  const created = audited.filter(({ action }) => action === 'webhook.secret_created');
  expect(new Set(created.map(({ target }) => target?.id)).size).toBe(created.length);
  expect(created.length).toBe(secrets.length - 1);
});
