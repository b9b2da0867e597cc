import { sql } from 'drizzle-orm';
import { Hono } from 'hono';
import { beforeAll, expect, test } from 'vitest';
import type { Tx } from '../../db/open.ts';
import { settings } from '../../db/schema/settings.ts';
import { handleCall } from '../handle-call.ts';
import { useContext } from '../../testing/use-api.ts';

const ctx = useContext({ engine: 'postgresql' });
beforeAll(async () => {
  await ctx.db.insert(settings).values({ name: 'contended', value: 0 });
});

test('a statement that takes too long is 503, and says when to try again', async () => {
  const [response] = await responsesTo(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 1`);
    await tx.execute(sql`select pg_sleep(5)`);
  });
  expectUnavailable(response);
});

test('of two deadlocked transactions, the one that PostgreSQL aborts is 503', async () => {
  const bothHaveTheirs = meeting();
  const lockBoth = (first: number, second: number) => async (tx: Tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${first}::bigint)`);
    await bothHaveTheirs();
    await tx.execute(sql`select pg_advisory_xact_lock(${second}::bigint)`);
  };
  const responses = await responsesTo(lockBoth(1, 2), lockBoth(2, 1));
  expectOneUnavailable(responses);
});

test('a transaction that conflicts with a concurrent change is 503', async () => {
  const bothHaveBegun = meeting();
  const count = async (tx: Tx) => {
    await tx.execute(sql`set transaction isolation level repeatable read`);
    await tx.select().from(settings);
    await bothHaveBegun();
    await tx.update(settings).set({ value: sql`${settings.value}` });
  };
  const responses = await responsesTo(count, count);
  expectOneUnavailable(responses);
});

/** The responses to concurrent calls that run these acts, each in a transaction. */
async function responsesTo(...acts: ((tx: Tx) => Promise<void>)[]): Promise<Response[]> {
  ctx.expectErrors(/request failed/);
  return await Promise.all(
    acts.map(async (act) => {
      const app = new Hono().get(
        '/',
        handleCall(ctx, null, async (call) => {
          await ctx.db.transaction(act);
          return call.respond(200, null);
        }),
      );
      return await app.request('/');
    }),
  );
}

/** A barrier for two calls: resolves for each once both have reached it. */
function meeting(): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let there = 0;
  return async () => {
    there += 1;
    if (there === 2) resolve();
    await promise;
  };
}

function expectOneUnavailable(responses: readonly Response[]): void {
  const failed = responses.filter(({ status }) => status !== 200);
  expect(failed).toHaveLength(1);
  expectUnavailable(failed[0]);
}

function expectUnavailable(response: Response | undefined): void {
  expect(response?.status).toBe(503);
  expect(response?.headers.get('Retry-After')).toBe('2');
}
