import { readFile } from 'node:fs/promises';
import type { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMemoryPglite } from '../testing/databases/memory-pglite.ts';

/** The migrations, whose effect on existing rows these tests check. */
const folder = new URL('./migrations/', import.meta.url);
const account = '00000000-0000-4000-8000-000000000001';
const webhook = '00000000-0000-4000-8000-000000000002';
const ida = { kind: 'person', id: 'ida', name: 'Ida' };
const server = { kind: 'api_key', id: webhook, name: 'Server' };
const prepareFirstAccount = { kind: 'system', id: null, name: 'First start' };

let db: PGlite;

beforeAll(async () => {
  db = await createMemoryPglite();
  // An empty database, as before the first migration.
  await db.exec('drop schema public, drizzle cascade; create schema public');
  await migrate((tag) => !tag.endsWith('_revealed_to'));
});
afterAll(() => db.close());

test('older tokens and secrets name the person who was shown them, as far as that is known', async () => {
  await db.query(`insert into accounts (id, name, created_at) values ($1, 'Acme', now())`, [
    account,
  ]);
  await db.query(
    `insert into api_keys (account_id, name, type, created_at, created_by, updated_at)
     values ($1, 'Key', 'full', now(), $2, now())`,
    [account, ida],
  );
  for (const [digest, by] of [
    ['a', ida],
    ['b', server],
    ['c', prepareFirstAccount],
  ]) {
    await db.query(
      `insert into api_key_tokens (account_id, api_key_id, digest, last_four, created_at, created_by)
       select account_id, id, convert_to($1, 'UTF8'), 'abcd', now(), $2 from api_keys`,
      [digest, by],
    );
  }
  await db.query(
    `insert into webhooks (account_id, uuid, name, url, events, is_active, created_at, updated_at)
     values ($1, $2, 'Hook', 'https://example.com/', '{}', true, now(), now())`,
    [account, webhook],
  );
  for (const day of ['2026-11-20', '2026-11-21']) {
    await db.query(
      `insert into webhook_secrets (account_id, webhook_id, uuid, sealed, created_at)
       select account_id, id, gen_random_uuid(), '', $1 from webhooks`,
      [`${day}T10:00:00.123Z`],
    );
  }
  await db.query(
    `insert into audit_entries (account_id, at, actor, action, target)
     values ($1, '2026-11-21T10:00:00.123Z', $2, 'webhook.secret_regenerated', $3)`,
    [account, ida, { kind: 'webhook', id: webhook, name: 'Hook' }],
  );

  await migrate((tag) => tag.endsWith('_revealed_to'));

  expect(await revealedTo('api_key_tokens')).toEqual([ida, server, null]);
  expect(await revealedTo('webhook_secrets')).toEqual([
    { kind: 'system', id: null, name: 'Unknown' },
    ida,
  ]);
});

/** Runs the migrations up to the first one that `isWanted` rejects. */
async function migrate(isWanted: (tag: string) => boolean): Promise<void> {
  const journal = JSON.parse(await readFile(new URL('meta/_journal.json', folder), 'utf8')) as {
    entries: { tag: string }[];
  };
  const tags = journal.entries.map(({ tag }) => tag);
  const from = tags.findIndex(isWanted);
  const past = tags.findIndex((tag, index) => index > from && !isWanted(tag));
  for (const tag of tags.slice(from, past < 0 ? tags.length : past)) {
    await db.exec(await readFile(new URL(`${tag}.sql`, folder), 'utf8'));
  }
}

async function revealedTo(table: 'api_key_tokens' | 'webhook_secrets'): Promise<unknown[]> {
  const order = table === 'api_key_tokens' ? 'id' : 'created_at';
  const { rows } = await db.query<{ revealed_to: unknown }>(
    `select revealed_to from ${table} order by ${order}`,
  );
  return rows.map((row) => row.revealed_to);
}
