import { desc, eq, getTableColumns, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { TestApi } from '../../testing/api.ts';
import { useContext } from '../../testing/use-api.ts';
import type { Db, Tx } from '../open.ts';
import { preparedOnce, unnamed } from './prepared-once.ts';
import { apiKeyTokens } from '../schema/api-keys/api-key-tokens.ts';
import { apiKeys } from '../schema/api-keys/api-keys.ts';

const ctx = useContext();
beforeAll(async () => {
  const account = await new TestApi(ctx).account();
  await account.key({ name: 'From one network', allowedCidrs: ['192.0.2.0/24'] });
  await account.key({ name: 'Limited', scopes: ['messages:write'] });
});

/** A row of values: times, bytes, arrays, JSON, an expression, and nulls. */
const flat = (db: Db | Tx) =>
  db
    .select({
      ...getTableColumns(apiKeyTokens),
      ...getTableColumns(apiKeys),
      nameLength: sql`length(${apiKeys.name})`.mapWith(String),
    })
    .from(apiKeys)
    .innerJoin(apiKeyTokens, eq(apiKeyTokens.apiKeyId, apiKeys.id))
    .orderBy(desc(apiKeys.id));

/** A row with an object for each table, one of which is null. */
const nested = (db: Db | Tx) =>
  db
    .select()
    .from(apiKeys)
    .leftJoin(apiKeyTokens, eq(apiKeyTokens.id, sql`-1`))
    .orderBy(desc(apiKeys.id));

describe('a statement of `preparedOnce` reads the same as the query builder', () => {
  test('in rows of values', async () => {
    const prepared = preparedOnce((db) => flat(db).prepare(unnamed));
    const rows = await prepared(ctx.db).execute();
    expect(rows.map(({ name, nameLength }) => [name, nameLength])).toEqual([
      ['Limited', '7'],
      ['From one network', '16'],
    ]);
    expect(rows).toEqual(await flat(ctx.db));
  });

  test('in rows with an object for each table', async () => {
    const prepared = preparedOnce((db) => nested(db).prepare(unnamed));
    const rows = await prepared(ctx.db).execute();
    expect(rows).toMatchObject([{ api_key_tokens: null }, { api_key_tokens: null }]);
    expect(rows).toEqual(await nested(ctx.db));
  });
});
