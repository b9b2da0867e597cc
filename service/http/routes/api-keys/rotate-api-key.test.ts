import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { dayMs, hourMs } from '#lib/durations.ts';
import { apiKeyTokens } from '../../../db/schema/api-keys/api-key-tokens.ts';
import { auditEntries } from '../../../db/schema/audit.ts';
import { rotateApiKey } from '../../../domain/api-keys/rotation/rotate-api-key.ts';
import { KeyCalls } from '../../../testing/api-keys/key-calls.ts';
import { keyWithTokens } from '../../../testing/api-keys/key-with-tokens.ts';
import {
  lastFour,
  statusesOf,
  statusOf,
  tokenOf,
  useToken,
} from '../../../testing/api-keys/tokens.ts';
import { dataOf, detailsOf, refusedFields } from '../../../testing/api.ts';
import type { ApiResponse } from '../../../testing/api.ts';
import { auditEntriesOf } from '../../../testing/records/audit-log.ts';
import { useApi } from '../../../testing/use-api.ts';

const save = 'Save this token now; it will not be shown again.';

const { ctx, api, account, owner, caller } = useApi();
const keys = new KeyCalls(caller);

describe('rotating a key', () => {
  test('sets the time at which it was rotated last, which is null before the first rotation', async () => {
    const key = await account.key();
    expect(await keys.find(key.id)).toMatchObject({ rotated_at: null });
    ctx.clock.advance(1000);
    await keys.rotate(key.id, { grace_period_seconds: 0 });
    const rotated_at = ctx.clock.apiTime();
    ctx.clock.advance(1000);
    expect(await keys.find(key.id)).toMatchObject({ rotated_at, previous_token: null });
  });

  test('a second time keeps the deadline of the oldest token, and is audited with each older token', async () => {
    const key = await account.key();
    const promised = ctx.clock.apiTime(dayMs);
    const second = await keys.newToken(key.id);
    await useToken(api, second);
    ctx.clock.advance(hourMs);
    const response = await keys.rotate(key.id);
    const third = tokenOf(response);
    const until = ctx.clock.apiTime(dayMs);
    expect(messageOf(response)).toBe(
      `${save} The older tokens stay valid: the one ending in ${lastFour(second)} for 24 hours, until ${until}; the one ending in ${key.lastFour} for 23 hours, until ${promised}.`,
    );
    expect(await lastChanges(key)).toEqual({
      last_four: lastFour(third),
      older_tokens: [
        { last_four: lastFour(second), valid_until: until },
        { last_four: key.lastFour, valid_until: promised },
      ],
    });
    ctx.clock.advance(23 * hourMs - 1);
    expect(await statusesOf(api, [key.token, second, third])).toEqual([200, 200, 200]);
    ctx.clock.advance(1);
    expect(await statusesOf(api, [key.token, second, third])).toEqual([401, 200, 200]);
  });

  test('with a grace period of 0 ends every older token immediately, cached or not, and names each', async () => {
    const key = await account.key();
    await useToken(api, key.token);
    const noGrace = { grace_period_seconds: 0 };
    const first = await keys.rotate(key.id, noGrace);
    expect(messageOf(first)).toContain('Every older token has stopped working.');
    const second = await keys.newToken(key.id);
    await useToken(api, second);
    const response = await keys.rotate(key.id, noGrace);
    const older = [second, tokenOf(first)];
    expect(messageOf(response)).toBe(
      `${save} Every older token has stopped working: the ones ending in ${older.map(lastFour).join(' and ')}.`,
    );
    expect(await statusesOf(api, [key.token, ...older, tokenOf(response)])).toEqual([
      401, 401, 401, 200,
    ]);
    expect(await lastChanges(key)).toMatchObject({
      older_tokens: older.map((ended) => ({
        last_four: lastFour(ended),
        valid_until: ctx.clock.apiTime(),
      })),
    });
  });

  test('states on every call with the old token when it or its key ends, also beyond a rate limit', async () => {
    const key = await account.key();
    const statedEnd = async (token: string) =>
      (await api.as(token).get('/api/v1/api-key')).headers.get('API-Key-Expires');
    expect(await statedEnd(key.token)).toBeNull();
    const fresh = await keys.newToken(key.id);
    expect(await statedEnd(key.token)).toBe(ctx.clock.apiTime(dayMs));
    expect(await statedEnd(fresh)).toBeNull();
    const end = ctx.clock.apiTime(hourMs);
    await keys.change(key.id, { expires_at: end, rate_limit_per_minute: 1 });
    expect(await statedEnd(key.token)).toBe(end);
    expect(await statusOf(api, key.token)).toBe(429);
    expect(await statedEnd(key.token)).toBe(end);
  });

  test('is refused once it expired', async () => {
    const key = await account.key({ expiresAt: ctx.clock.apiTime(1000) });
    ctx.clock.advance(1000);
    expect((await keys.rotate(key.id)).status).toBe(422);
    expect(await keys.find(key.id)).toMatchObject({ status: 'expired' });
  });

  test('changes nothing if its newest token is not the expected one, and says why', async () => {
    const key = await account.key();
    await useToken(api, key.token);
    const refusal = async (expected: string) =>
      detailsOf(await keys.rotate(key.id, { expected_last_four: expected }))['expected_last_four'];
    expect(await refusal('zzzz')).toEqual([
      `The newest token of this key ends in ${key.lastFour}.`,
    ]);
    const fresh = await keys.newToken(key.id);
    expect(await refusal('zzzz')).toEqual([
      `The newest token of this key ends in ${lastFour(fresh)}.`,
    ]);
    expect(await refusal(key.lastFour)).toEqual([
      `This key was already rotated at ${ctx.clock.apiTime()} by Production server.`,
    ]);
    expect(await statusesOf(api, [fresh, key.token])).toEqual([200, 200]);
  });

  test.each([1.5, '60', 604_801])('with a grace period of %j is refused', async (seconds) => {
    const response = await keys.rotate(caller.id, { grace_period_seconds: seconds });
    expect(refusedFields(response)).toEqual(['grace_period_seconds']);
  });

  test.each(['{', '[0]', '"text"', 'false', '\ufffd{}'])(
    'with the body %s, which is no JSON object, is refused',
    async (body) => {
      expect(refusedFields(await keys.rotate(caller.id, body))).toEqual(['body']);
    },
  );

  test.each([
    ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }, 'application/json'],
    ['compressed', { 'Content-Encoding': 'gzip' }, 'without compression'],
  ])(
    'with a body that is %s is 415, and the message says what to send',
    async (_, header, what) => {
      const headers = { 'Content-Type': 'application/json', ...header };
      const path = `/api/v1/api-keys/${caller.id}/rotate`;
      const response = await caller.post(path, '{"grace_period_seconds":0}', headers);
      expect(response.status).toBe(415);
      expect(response.body).toMatchObject({
        error: { code: 'UNSUPPORTED_MEDIA_TYPE', message: expect.stringContaining(what) },
      });
    },
  );

  test('is refused at 20 valid tokens, until one ends or none stays', async () => {
    const { key, tokens } = await keyWithTokens(ctx, account, { count: 20 });
    const before = await keys.find(key.id);
    const leastUsed = before.tokens.at(-1);
    expect(detailsOf(await keys.rotate(key.id))).toEqual({
      api_key: [
        `This key has 20 valid tokens, the maximum. End one first; the one ending in ${key.lastFour} (token ${leastUsed?.id}, never used) is the least used. Or rotate with a grace period of 0, which ends every older token.`,
      ],
    });
    expect(await keys.find(key.id)).toEqual(before);
    expect(await statusesOf(api, tokens)).toEqual(tokens.map(() => 200));

    expect((await keys.endToken(key.id, leastUsed?.id)).status).toBe(204);
    await rotateApiKey(ctx, owner, { apiKey: key.uuid });
    // A rotation that replaces an unconfirmed token adds none.
    expect((await keys.rotate(key.id)).status).toBe(201);
    expect((await keys.read(key.id)).tokens).toHaveLength(20);

    const response = await keys.rotate(key.id, { grace_period_seconds: 0 });
    for (const old of tokens.slice(1)) expect(messageOf(response)).toContain(lastFour(old));
    expect((await keys.read(key.id)).tokens).toHaveLength(1);
  });
});

describe('a dry run of a rotation', () => {
  type Fate = { last_four: string; valid_until: string | null; ends_now: boolean };

  test.each([{}, { grace_period_seconds: 0 }, { grace_period_seconds: 60 }])(
    'with %j says what the rotation would do to each token, and changes nothing',
    async (body) => {
      for (const isNewestUnconfirmed of [true, false]) {
        const { key } = await keyWithTokens(ctx, account, { count: 3, isNewestUnconfirmed });
        const before = await everything(key.id);
        const former = (await keys.read(key.id)).tokens;
        const dry = await keys.rotate(key.id, { ...body, dry_run: true });
        expect(dry.status).toBe(200);
        expect(await everything(key.id)).toEqual(before);

        expect((await keys.rotate(key.id, { ...body, dry_run: false })).status).toBe(201);
        const { tokens } = await keys.read(key.id);
        const left = new Map(tokens.map((each) => [each.last_four, each.valid_until]));
        expect(dataOf<{ tokens: Fate[] }>(dry).tokens).toEqual(
          former.map(({ last_four: last }) => ({
            last_four: last,
            valid_until: left.get(last) ?? null,
            ends_now: !left.has(last),
          })),
        );
      }
    },
  );

  test('is refused as the rotation would be', async () => {
    const { key: full } = await keyWithTokens(ctx, account, { count: 20 });
    const dead = await account.key();
    await keys.revoke(dead.id);
    const key = await account.key();
    await keys.rotate(key.id);
    for (const [id, body] of [
      [full.id, {}],
      [dead.id, {}],
      [key.id, { expected_last_four: key.lastFour }],
      [key.id, { grace_period_seconds: -1 }],
    ] as const) {
      const dry = await keys.rotate(id, { ...body, dry_run: true });
      expect(dry.status).toBe(422);
      expect(dry.text).toBe((await keys.rotate(id, body)).text);
    }
  });

  async function everything(apiKeyId: number) {
    return [
      await ctx.db.query.apiKeyTokens.findMany({ where: eq(apiKeyTokens.apiKeyId, apiKeyId) }),
      await ctx.db.$count(auditEntries),
      await ctx.db.query.idempotentResponses.findMany(),
    ];
  }
});

async function lastChanges({ uuid }: { uuid: string }) {
  const entries = await auditEntriesOf(ctx, account.id);
  return entries.findLast(({ target }) => target.id === uuid)?.changes;
}

function messageOf(response: ApiResponse): unknown {
  return dataOf(response)['message'];
}
