import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { respond } from '../testing/delivery/receiver.ts';
import { DeliveryClient } from '../testing/durability/delivery-client.ts';
import { DeliveryInstallation } from '../testing/durability/delivery-installation.ts';
import { runEndingService } from '../testing/processes/service-process.ts';
import { version } from '../version.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const newVersion = '99.0.0';

/** Columns and an index, as a version adds them that the one before must survive. */
const added = [
  `ALTER TABLE "events" ADD COLUMN "of_new_version" text DEFAULT 'none' NOT NULL;`,
  `ALTER TABLE "deliveries" ADD COLUMN "of_new_version" integer;`,
  `CREATE INDEX "of_new_version" ON "api_keys" ("name");`,
];

let installation: DeliveryInstallation;
let newFolder: string;
beforeEach(async () => {
  installation = await DeliveryInstallation.open('postgresql');
  newFolder = await makeNewVersion();
});
afterEach(async () => {
  await installation.close();
  await rm(newFolder, { recursive: true });
});

test('processes are replaced by those of a version with a new migration, one by one, while events are published and delivered', async () => {
  const { receiver } = installation;
  receiver.respondWith(respond(204));
  const old = await installation.start('api,worker');
  const client = new DeliveryClient(installation.token);
  await client.addWebhooks(old.origin, receiver.origin, 3);
  const publishing = client.publishUntilStopped(old.origin);
  await receiver.received(10);

  // Two at a time: one of them runs the migration, and the other waits for it.
  const [first, second] = await Promise.all([
    installation.startIn(newFolder, 'api,worker'),
    installation.startIn(newFolder, 'api,worker'),
  ]);
  const versionOf = async (origin: string) =>
    ((await (await fetch(`${origin}/healthz`)).json()) as { version: string }).version;
  expect(await Promise.all([old, first, second].map(({ origin }) => versionOf(origin)))).toEqual([
    version,
    newVersion,
    newVersion,
  ]);
  const before = client.acknowledged.size;
  await expect
    .poll(() => client.acknowledged.size, { timeout: 30_000 })
    .toBeGreaterThan(before + 20);
  await publishing.stop();
  old.stop();
  expect(await old.ended()).toBe(0);
  await client.publish(first.origin);
  await client.settled(second.origin);

  const { events, deliveries } = await installation.stored();
  const published = events.filter(({ type }) => type === 'message.created');
  expect(published).toHaveLength(client.acknowledged.size);
  expect(deliveries).toHaveLength(published.length * client.webhooks.length);
  expect(deliveries.filter(({ status }) => status !== 'delivered')).toEqual([]);
  // Each was sent by one process only, although two versions delivered.
  expect(receiver.requests).toHaveLength(deliveries.length);
  await Promise.all([first, second].map((service) => installation.end(service)));

  const again = await runEndingService(installation.environment('api,worker'));
  expect(again.exitCode).not.toBe(0);
  expect(again.output).toContain(
    `A newer version of the service than this one (${version}) has changed the database`,
  );
}, 120_000);

test('a migration that has to wait for a long transaction does not make calls wait for it too', async () => {
  const { receiver } = installation;
  receiver.respondWith(respond(204));
  const old = await installation.start('api,worker');
  const client = new DeliveryClient(installation.token);
  await client.addWebhooks(old.origin, receiver.origin, 1);
  const long = new pg.Client({ connectionString: installation.databaseUrl });
  await long.connect();
  await long.query('begin');
  await long.query('select from events');
  const starting = installation.startIn(newFolder, 'api,worker');
  const isWaiting = async () => {
    const { rows } = await long.query(
      `select from pg_locks join pg_database on pg_database.oid = pg_locks.database
        where datname = current_database() and not granted and mode = 'AccessExclusiveLock'`,
    );
    return rows.length > 0;
  };
  await expect.poll(isWaiting, { timeout: 30_000, interval: 20 }).toBe(true);
  await client.publish(old.origin);
  await long.query('commit');
  await long.end();
  const service = await starting;
  expect(service.output()).toContain('a migration waits for transactions that use its tables');
  await client.settled(service.origin);
  await Promise.all([old, service].map((each) => installation.end(each)));
}, 120_000);

/** A copy of this version with another number and one more migration. */
async function makeNewVersion(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'new-version-'));
  const isUsed = (path: string) => !path.includes('.test.');
  for (const part of ['service', 'lib', 'package.json']) {
    await cp(join(root, part), join(folder, part), { recursive: true, filter: isUsed });
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const manifest = join(folder, 'package.json');
  await writeFile(manifest, JSON.stringify({ ...(await readJson(manifest)), version: newVersion }));
  const migrations = join(folder, 'service/db/migrations');
  const tag = '9999_new-version';
  await writeFile(join(migrations, `${tag}.sql`), added.join('\n--> statement-breakpoint\n'));
  const journal = join(migrations, 'meta/_journal.json');
  const recorded = (await readJson(journal)) as { entries: { idx: number; when: number }[] };
  const last = recorded.entries.at(-1);
  if (!last) throw new Error('there are no migrations');
  const entry = { ...last, idx: last.idx + 1, when: last.when + 1, tag };
  await writeFile(journal, JSON.stringify({ ...recorded, entries: [...recorded.entries, entry] }));
  return folder;
}

async function readJson(path: string): Promise<object> {
  return JSON.parse(await readFile(path, 'utf8')) as object;
}
