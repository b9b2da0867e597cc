import { eq } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { minuteMs } from '#lib/durations.ts';
import type { Db, OpenDatabase } from '../../db/open.ts';
import { apiKeyTokens, tokenCalls } from '../../db/schema/api-keys/api-key-tokens.ts';
import { callCounts, callers, failedCalls } from '../../db/schema/api-keys/calls.ts';
import { CallLog, maxPendingRows, type KeyCall } from '../../domain/api-keys/calls/call-log.ts';
import { TestApi } from '../api.ts';
import { FakeClock } from '../clock.ts';
import { logStatements } from '../databases/log-statements.ts';
import { useApi } from '../use-api.ts';

/** How calls of keys are counted. */
export function describeCallLog(engine: OpenDatabase['engine']): void {
  const { ctx, account } = useApi({ engine, config: { rateLimitPerMinute: 100_000 } });

  test('a call costs no statement, and all calls of ten seconds are written together', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const key = await account.key();
    const statements: string[] = [];
    const calls = logOf(logStatements(ctx.database, statements));
    calls.start();
    const api = new TestApi({ ...ctx, calls });
    const made = Array.from({ length: 20 }, () => api.as(key.token).get('/api/v1/webhooks'));
    expect(new Set((await Promise.all(made)).map(({ status }) => status))).toEqual(new Set([200]));
    vi.advanceTimersByTime(9999);
    expect(statements).toEqual([]);
    vi.advanceTimersByTime(1);
    await expect.poll(() => totalOf(key.id)).toBe(20);
    expect(statements.filter((text) => !text.startsWith('select'))).toHaveLength(3);
    await calls.stop();
    vi.useRealTimers();
  });

  test('a stop writes everything, and what could not be written is written later, once', async () => {
    const call = await callOf();
    let isAway = true;
    const calls = logOf(
      Object.create(ctx.db, {
        transaction: {
          value: async (...work: Parameters<Db['transaction']>) => {
            if (isAway) throw new Error('The connection broke');
            return await ctx.db.transaction(...work);
          },
        },
      }) as Db,
    );
    ctx.expectErrors(/calls of keys not written yet/);
    calls.record(call);
    await calls.flush();
    calls.record(call);
    isAway = false;
    await calls.stop();
    await calls.flush();
    expect(await totalOf(call.apiKeyId)).toBe(2);
  });

  test('calls are counted by token, hour and minute, with the first and the last', async () => {
    const call = await callOf();
    const clock = new FakeClock('2026-11-20T12:58:30.000Z');
    const calls = logOf(ctx.db, clock);
    for (const wait of [0, minuteMs, 0, minuteMs]) {
      clock.advance(wait);
      calls.record(call);
      await calls.flush();
    }
    const rows = await ctx.db
      .select()
      .from(tokenCalls)
      .where(eq(tokenCalls.tokenId, call.tokenId))
      .orderBy(tokenCalls.hour);
    const minute = (index: number, count: number) =>
      Array.from({ length: 60 }, (_, at) => (at === index ? count : 0));
    expect(rows).toMatchObject([
      {
        hour: new Date('2026-11-20T12:00:00.000Z'),
        calls: 3,
        firstAt: new Date('2026-11-20T12:58:30.000Z'),
        lastAt: new Date('2026-11-20T12:59:30.000Z'),
        minutes: minute(58, 1).with(59, 2),
      },
      { hour: new Date('2026-11-20T13:00:00.000Z'), calls: 1, minutes: minute(0, 1) },
    ]);
  });

  test('calls with a token that has ended, or from elsewhere, do not count as calls of the token', async () => {
    const call = await callOf();
    const calls = logOf(ctx.db);
    const refused = { ...call, status: 401, problem: 'token_ended' as const, detail: 'abcd' };
    calls.record(refused);
    calls.record({ ...call, status: 403, problem: 'network' });
    await calls.stop();
    expect(await ctx.db.$count(tokenCalls, eq(tokenCalls.tokenId, call.tokenId))).toBe(0);
    expect(await totalOf(call.apiKeyId)).toBe(2);
    expect(await callersOf(call.apiKeyId)).toMatchObject([{ calls: 2, turnedAway: 2 }]);
  });

  test('several processes add up to every call, and to 50 callers of a key and hour', async () => {
    const call = await callOf();
    const processes = Array.from({ length: 5 }, () => logOf(ctx.db));
    for (const [index, calls] of processes.entries()) {
      for (let host = 0; host < 40; host += 1) {
        // Two processes each see the same addresses.
        const address = `203.0.113.${(index % 3) * 40 + host}`;
        calls.record({ ...call, address });
      }
    }
    await Promise.all(processes.map((calls) => calls.flush()));
    await Promise.all(processes.map((calls) => calls.stop()));
    expect(await totalOf(call.apiKeyId)).toBe(200);
    const stored = await callersOf(call.apiKeyId);
    expect(stored.filter(({ address }) => address !== '')).toHaveLength(50);
    expect(stored.reduce((sum, row) => sum + row.calls, 0)).toBe(200);
  });

  describe('memory and tables stay bounded', () => {
    test('by 50 callers and 50 foreign addresses of a key and hour', async () => {
      const call = await callOf();
      const calls = logOf(ctx.db);
      const refused = { ...call, status: 403, problem: 'network' as const };
      for (let host = 0; host < 100; host += 1) {
        calls.record({ ...call, userAgent: `agent ${host} ${'x'.repeat(1000)}` });
        calls.record({ ...refused, address: `2001:db8::${host.toString(16)}` });
      }
      await calls.stop();
      const stored = await callersOf(call.apiKeyId);
      expect(stored).toHaveLength(51);
      expect(Math.max(...stored.map(({ userAgent }) => userAgent.length))).toBe(100);
      // One row for the calls that succeeded, and one for further addresses.
      expect(await countsOf(call.apiKeyId)).toHaveLength(52);
    });

    test('by rows: half of them are written early, and nothing is added beyond all of them', async () => {
      const call = await callOf();
      const begun = Promise.withResolvers<void>();
      const calls = logOf(
        Object.create(ctx.db, {
          transaction: {
            value: async () => {
              begun.resolve();
              throw new Error('The connection broke');
            },
          },
        }) as Db,
      );
      ctx.expectErrors(/calls of keys not (written yet|counted)/);
      for (let apiKeyId = 1; apiKeyId <= maxPendingRows; apiKeyId += 1) {
        calls.record({ ...call, apiKeyId, tokenId: apiKeyId });
        if (apiKeyId === maxPendingRows / 2) await begun.promise;
      }
      await calls.stop();
      expect(ctx.logged.map(({ msg }) => msg)).toContain('calls of keys not counted');
    });

    test('by the newest 1,000 failed calls of a key', async () => {
      const call = { ...(await callOf()), status: 404, problem: 'not_found' as const };
      const calls = logOf(ctx.db);
      for (const half of ['first', 'second']) {
        for (let index = 0; index < 600; index += 1) {
          calls.record({ ...call, requestId: `${half}-${index}` });
        }
        await calls.flush();
      }
      expect(await totalOf(call.apiKeyId)).toBe(1200);
      const kept = await ctx.db
        .select({ requestId: failedCalls.requestId })
        .from(failedCalls)
        .where(eq(failedCalls.apiKeyId, call.apiKeyId));
      expect(kept).toHaveLength(1000);
      expect(kept).not.toContainEqual({ requestId: 'first-199' });
    });
  });

  function logOf(db: Db, clock = ctx.clock): CallLog {
    return new CallLog({ db, clock, log: ctx.log });
  }

  /** A call of a new key that succeeded. */
  async function callOf(): Promise<KeyCall> {
    const { id: apiKeyId } = await account.key();
    const [token] = await ctx.db
      .select({ id: apiKeyTokens.id })
      .from(apiKeyTokens)
      .where(eq(apiKeyTokens.apiKeyId, apiKeyId));
    if (!token) throw new Error('the key has no token');
    return {
      accountId: account.id,
      apiKeyId,
      tokenId: token.id,
      requestId: 'req-1',
      route: 'listWebhooks',
      method: 'GET',
      status: 200,
      problem: null,
      detail: '',
      address: '203.0.113.7',
      userAgent: 'test',
    };
  }

  async function countsOf(apiKeyId: number) {
    return await ctx.db.select().from(callCounts).where(eq(callCounts.apiKeyId, apiKeyId));
  }

  async function totalOf(apiKeyId: number): Promise<number> {
    return (await countsOf(apiKeyId)).reduce((sum, { calls }) => sum + calls, 0);
  }

  async function callersOf(apiKeyId: number) {
    return await ctx.db.select().from(callers).where(eq(callers.apiKeyId, apiKeyId));
  }
}
