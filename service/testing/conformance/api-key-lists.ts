import { describe, expect, test } from 'vitest';
import { dayMs } from '#lib/durations.ts';
import type { OpenDatabase } from '../../db/open.ts';
import { apiKeyTokens } from '../../db/schema/api-keys/api-key-tokens.ts';
import { apiKeys } from '../../db/schema/api-keys/api-keys.ts';
import { digestToken, newToken } from '../../tokens/token.ts';
import { detailsOf, itemsOf, nextCursorOf } from '../api.ts';
import type { ApiResponse, TestKey } from '../api.ts';
import { useApi } from '../use-api.ts';

type Ended = { name?: string; revokedAgo?: number; expiredAgo?: number };

/** The contents of the lists of keys, on either database. */
export function describeApiKeyLists(engine: OpenDatabase['engine']): void {
  const { ctx, api, account, caller } = useApi({
    engine,
    config: { rateLimitPerMinute: 10_000 },
    accountFor: 'test',
    caller: { name: 'Reader' },
  });

  describe('the list without a status', () => {
    test('has every active key, and the 200 keys that ended last, newest first', async () => {
      const { id: oldest } = await account.key({ name: 'Made first, revoked last' });
      const ended = await endedKeys(
        Array.from({ length: 300 }, (_, index) => ({
          name: `Ended ${index}`,
          // Older keys ended later, and expired and revoked keys alternate.
          ...(index % 2 ? { expiredAgo: index + 1 } : { revokedAgo: index + 1 }),
        })),
      );
      const living = [];
      for (let made = 1; made <= 3; made += 1) living.push((await account.key()).id);
      await caller.delete(`/api/v1/api-keys/${oldest}`);

      const response = await list('');
      expect(response.status).toBe(200);
      expect(Object.keys(response.body as object)).toEqual(['success', 'data']);
      const ids = itemsOf(response).map(({ id }) => id);
      expect(ids).toEqual(ids.toSorted((a, b) => b - a));
      const statuses = Object.groupBy(itemsOf(response), ({ status }) => String(status));
      expect(statuses['active']?.map(({ id }) => id)).toEqual(expect.arrayContaining(living));
      expect(statuses['active']).toHaveLength(4);
      const shown = [...(statuses['revoked'] ?? []), ...(statuses['expired'] ?? [])];
      expect(new Set(shown.map(({ id }) => id))).toEqual(
        new Set([oldest, ...ended.slice(0, 199).map(({ id }) => id)]),
      );
    });

    // With one more key, another statement reads the list.
    test.each([199, 200])('has all of %i ended keys', async (count) => {
      const ended = await endedKeys(
        Array.from({ length: count }, (_, index) =>
          index % 2 ? { expiredAgo: index + 1 } : { revokedAgo: index + 1 },
        ),
      );
      const listed = itemsOf(await list(''));
      expect(listed).toHaveLength(1 + count);
      expect(listed.slice(0, -1).map(({ id }) => id)).toEqual(
        ended.map(({ id }) => id).toReversed(),
      );
    });

    test('ignores a limit, and refuses a cursor', async () => {
      expect(itemsOf(await list('?limit=1'))).toHaveLength(1);
      await account.key();
      expect(itemsOf(await list('?limit=1'))).toHaveLength(2);
      const [, , last] = await endedKeys([{ revokedAgo: 1 }, { revokedAgo: 2 }, { revokedAgo: 3 }]);
      expect(last).toBeDefined();
      const cursor = nextCursorOf(await list('?status=revoked&limit=1'));
      const refused = await list(`?cursor=${cursor}`);
      expect(refused.status).toBe(422);
      expect(detailsOf(refused)).toEqual({
        cursor: ['Send the status of the previous page as well.'],
      });
    });
  });

  describe.each(['revoked', 'expired'] as const)('the list of %s keys', (status) => {
    const ago = (seconds: number) =>
      status === 'revoked' ? { revokedAgo: seconds } : { expiredAgo: seconds };
    const other = status === 'revoked' ? { expiredAgo: 5 } : { revokedAgo: 5 };

    test('lists every key once, the last to end first, even if several ended at the same time', async () => {
      const ended = await endedKeys(
        Array.from({ length: 23 }, (_, index) => ({
          ...ago(1 + Math.floor(index / 4)),
          name: `${index}`,
        })),
      );
      await endedKeys([other, other]);
      const order = ended.toSorted((a, b) => a.ago - b.ago || b.id - a.id).map(({ id }) => id);
      for (const limit of [1, 5, 23, 100]) {
        const pages = await readAll(status, limit);
        expect(pages.flat()).toEqual(order);
        expect(pages).toHaveLength(Math.ceil(23 / limit));
      }
      expect(await readAll(status)).toEqual([order]);
    });

    test('is not shifted by keys that end during paging', async () => {
      const ended = await endedKeys(Array.from({ length: 4 }, (_, index) => ago(index + 1)));
      const first = await list(`?status=${status}&limit=2`);
      await endedKeys([ago(0), ago(0)]);
      const second = await list(`?status=${status}&limit=2&cursor=${nextCursorOf(first)}`);
      expect([...itemsOf(first), ...itemsOf(second)].map(({ id }) => id)).toEqual(
        ended.map(({ id }) => id),
      );
      expect(nextCursorOf(second)).toBeNull();
    });

    test('is empty if there are no keys, and contains none of another account', async () => {
      const mine = await endedKeys([ago(1), ago(2)]);
      const cursor = nextCursorOf(await list(`?status=${status}&limit=1`));
      const stranger = await (await api.account()).key();
      expect((await list(`?status=${status}`, stranger)).body).toEqual({
        success: true,
        data: [],
        next_cursor: null,
      });
      const theirs = await list(`?status=${status}&cursor=${cursor}`, stranger);
      expect(itemsOf(theirs)).toEqual([]);
      expect(mine).toHaveLength(2);
    });

    test.each([
      ['limit', 'limit=0'],
      ['limit', 'limit=101'],
      ['cursor', 'cursor=nonsense'],
      ['cursor', `cursor=${Buffer.from('id:7').toString('base64url')}`],
      ['cursor', `cursor=${Buffer.from(`${status}-keys:253402300800000:7`).toString('base64url')}`],
      ['cursor', `cursor=${Buffer.from(`${status}-keys:-1:7`).toString('base64url')}`],
      ['cursor', `cursor=${Buffer.from(`${status}-keys:01:7`).toString('base64url')}`],
      ['cursor', `cursor=${Buffer.from(`${status}-keys:1:0`).toString('base64url')}`],
      ['cursor', `cursor=${Buffer.from(`${status}-keys:1:2147483648`).toString('base64url')}`],
    ])('refuses a wrong %s: %s', async (field, query) => {
      const response = await list(`?status=${status}&${query}`);
      expect(response.status).toBe(422);
      expect(Object.keys(detailsOf(response))).toEqual([field]);
    });
  });

  test('a key that expired and was revoked later counts as revoked', async () => {
    const [key] = await endedKeys([{ expiredAgo: 10, revokedAgo: 5 }]);
    expect(await readAll('revoked')).toEqual([[key?.id]]);
    expect(await readAll('expired')).toEqual([[]]);
  });

  test('a key is expired from the exact millisecond of its expiry', async () => {
    const expiresAt = new Date(ctx.clock.now().getTime() + 60_000).toISOString();
    const { id } = await account.key({ expiresAt });
    ctx.clock.advance(59_999);
    expect(await readAll('expired')).toEqual([[]]);
    ctx.clock.advance(1);
    expect(await readAll('expired')).toEqual([[id]]);
    expect(itemsOf(await list('')).find((item) => item.id === id)).toMatchObject({
      status: 'expired',
    });
  });

  test('a cursor with extreme values is accepted', async () => {
    const edge = Buffer.from('expired-keys:253402300799999:2147483647').toString('base64url');
    expect((await list(`?status=expired&cursor=${edge}`)).status).toBe(200);
  });

  test.each(['active', 'rotating', 'dead', ''])('the status %j is refused', async (status) => {
    const response = await list(`?status=${status}`);
    expect(response.status).toBe(422);
    expect(detailsOf(response)).toEqual({ status: ['Use revoked or expired, or omit it.'] });
  });

  /** Keys that ended this many seconds ago, each created a second before the next. */
  async function endedKeys(keys: readonly Ended[]): Promise<{ id: number; ago: number }[]> {
    const now = ctx.clock.now().getTime();
    const before = (seconds: number | undefined) =>
      seconds === undefined ? null : new Date(now - seconds * 1000);
    const by = { kind: 'system', id: null, name: 'test' } as const;
    const made = { accountId: account.id, createdAt: new Date(now - dayMs), createdBy: by };
    const rows = await ctx.db
      .insert(apiKeys)
      .values(
        keys.map(({ name = 'Ended', revokedAgo, expiredAgo }) => ({
          ...made,
          name,
          type: 'full' as const,
          updatedAt: made.createdAt,
          revokedAt: before(revokedAgo),
          expiresAt: before(expiredAgo),
        })),
      )
      .returning({ id: apiKeys.id });
    await ctx.db.insert(apiKeyTokens).values(
      rows.map(({ id }) => ({
        ...made,
        apiKeyId: id,
        digest: digestToken(newToken()),
        lastFour: 'Te5t',
      })),
    );
    return rows.map(({ id }, index) => ({
      id,
      ago: keys[index]?.revokedAgo ?? keys[index]?.expiredAgo ?? 0,
    }));
  }

  async function list(query: string, by: TestKey = caller): Promise<ApiResponse> {
    return await by.get(`/api/v1/api-keys${query}`);
  }

  /** The ids on each page, up to the last page. */
  async function readAll(status: string, limit?: number): Promise<number[][]> {
    const pages: number[][] = [];
    let cursor: string | null = null;
    do {
      const response = await list(
        `?status=${status}${limit ? `&limit=${limit}` : ''}${cursor ? `&cursor=${cursor}` : ''}`,
      );
      expect(response.status).toBe(200);
      pages.push(itemsOf(response).map(({ id }) => id));
      cursor = nextCursorOf(response);
    } while (cursor !== null);
    return pages;
  }
}
