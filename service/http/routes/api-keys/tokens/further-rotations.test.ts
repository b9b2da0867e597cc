import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { hourMs } from '#lib/durations.ts';
import { apiKeyTokens } from '../../../../db/schema/api-keys/api-key-tokens.ts';
import { auditEntries } from '../../../../db/schema/audit.ts';
import { rotateApiKey } from '../../../../domain/api-keys/rotation/rotate-api-key.ts';
import { confirmToken } from '../../../../domain/api-keys/rotation/replace-unconfirmed-token.ts';
import { KeyCalls } from '../../../../testing/api-keys/key-calls.ts';
import { keyWithTokens } from '../../../../testing/api-keys/key-with-tokens.ts';
import { lastFour, statusesOf, tokenOf, useToken } from '../../../../testing/api-keys/tokens.ts';
import { dataOf, detailsOf } from '../../../../testing/api.ts';
import type { ApiResponse } from '../../../../testing/api.ts';
import { auditEntriesOf } from '../../../../testing/records/audit-log.ts';
import { useApi } from '../../../../testing/use-api.ts';

const save = 'Save this token now; it will not be shown again.';

const { ctx, api, account, caller } = useApi();
const keys = new KeyCalls(caller);

describe('a second rotation', () => {
  test('keeps the deadline that the first one gave the oldest token', async () => {
    const key = await account.key();
    const promised = ctx.clock.apiTime(24 * hourMs);
    const second = tokenOf(await keys.rotate(key.id));
    await useToken(api, second);
    ctx.clock.advance(hourMs);
    const response = await keys.rotate(key.id);

    expect(messageOf(response)).toBe(
      `${save} The older tokens stay valid: the one ending in ${lastFour(second)} for 24 hours, until ${ctx.clock.apiTime(24 * hourMs)}; the one ending in ${key.lastFour} for 23 hours, until ${promised}.`,
    );
    ctx.clock.advance(23 * hourMs - 1);
    expect(await statusesOf(api, [key.token, second, tokenOf(response)])).toEqual([200, 200, 200]);
    ctx.clock.advance(1);
    expect(await statusesOf(api, [key.token, second, tokenOf(response)])).toEqual([401, 200, 200]);
  });

  test('gives a token of the API that was never used its grace period too', async () => {
    const key = await account.key();
    const second = tokenOf(await keys.rotate(key.id));
    const third = tokenOf(await keys.rotate(key.id, { grace_period_seconds: 7200 }));
    expect(await statusesOf(api, [key.token, second, third])).toEqual([200, 200, 200]);
  });

  test('gives a token that somebody confirmed having its grace period too', async () => {
    const key = await account.key();
    const confirmed = await rotateInDashboard(key.uuid);
    const owner = await account.member('owner');
    await confirmToken(ctx, owner, { apiKey: key.uuid, last_four: lastFour(confirmed) });
    const third = await rotateInDashboard(key.uuid);
    expect(await statusesOf(api, [confirmed, third])).toEqual([200, 200]);
  });

  test('that replaces an unconfirmed token says so and adds none', async () => {
    const key = await account.key();
    const second = tokenOf(await keys.rotate(key.id, { grace_period_seconds: 3600 }));
    await useToken(api, second);
    const unused = await rotateInDashboard(key.uuid, { grace_period_seconds: 7200 });
    const response = await keys.rotate(key.id);
    expect(messageOf(response)).toBe(
      `${save} The older tokens stay valid: the one ending in ${lastFour(second)} for 2 hours, until ${ctx.clock.apiTime(2 * hourMs)}; the one ending in ${key.lastFour} for 1 hour, until ${ctx.clock.apiTime(hourMs)}. The token ending in ${lastFour(unused)}, which was never used, has stopped working.`,
    );
    expect(await statusesOf(api, [key.token, second, unused, tokenOf(response)])).toEqual([
      200, 200, 401, 200,
    ]);
  });

  test('with a grace period of 0 ends every older token and names each', async () => {
    const key = await account.key();
    const second = tokenOf(await keys.rotate(key.id));
    await useToken(api, second);
    const response = await keys.rotate(key.id, { grace_period_seconds: 0 });
    expect(messageOf(response)).toBe(
      `${save} Every older token has stopped working: the ones ending in ${lastFour(second)} and ${key.lastFour}.`,
    );
    expect(await statusesOf(api, [key.token, second, tokenOf(response)])).toEqual([401, 401, 200]);
  });

  test('is audited with each older token and its end', async () => {
    const key = await account.key();
    const first = ctx.clock.apiTime(24 * hourMs);
    const second = tokenOf(await keys.rotate(key.id));
    await useToken(api, second);
    ctx.clock.advance(hourMs);
    const third = tokenOf(await keys.rotate(key.id, { grace_period_seconds: 7200 }));
    expect(await lastChanges(key.uuid)).toEqual({
      last_four: lastFour(third),
      older_tokens: [
        { last_four: lastFour(second), valid_until: ctx.clock.apiTime(2 * hourMs) },
        { last_four: key.lastFour, valid_until: first },
      ],
    });
    await useToken(api, third);
    const fourth = tokenOf(await keys.rotate(key.id, { grace_period_seconds: 0 }));
    expect(await lastChanges(key.uuid)).toEqual({
      last_four: lastFour(fourth),
      older_tokens: [third, second, key.token].map((ended) => ({
        last_four: lastFour(ended),
        valid_until: ctx.clock.apiTime(),
      })),
    });
  });
});

describe('20 valid tokens', () => {
  test('are the maximum: a further rotation says which to end, and changes nothing', async () => {
    const { key, tokens } = await keyWithTokens(ctx, account, { count: 20 });
    const before = await keys.find(key.id);
    const response = await keys.rotate(key.id);
    expect(response.status).toBe(422);
    const leastUsed = before.tokens.at(-1);
    expect(detailsOf(response)).toEqual({
      api_key: [
        `This key has 20 valid tokens, the most it can have. End one first, best the one ending in ${key.lastFour}, which is token ${leastUsed?.id} and was never used. Or rotate with a grace period of 0, which ends every older token.`,
      ],
    });
    expect(await keys.find(key.id)).toEqual(before);
    expect(await statusesOf(api, tokens)).toEqual(tokens.map(() => 200));
  });

  test('allow a rotation once one is ended, or if the newest is unconfirmed', async () => {
    const { key } = await keyWithTokens(ctx, account, { count: 20 });
    const oldest = (await keys.read(key.id)).tokens.at(-1);
    expect((await keys.endToken(key.id, oldest?.id)).status).toBe(204);
    await rotateInDashboard(key.uuid);
    // The rotation replaces the unconfirmed token, and the number of tokens stays the same.
    expect((await keys.rotate(key.id)).status).toBe(201);
    expect((await keys.read(key.id)).tokens).toHaveLength(20);
  });

  test('all end by a rotation with a grace period of 0', async () => {
    const { key, tokens } = await keyWithTokens(ctx, account, { count: 20 });
    const response = await keys.rotate(key.id, { grace_period_seconds: 0 });
    expect(response.status).toBe(201);
    for (const old of tokens) expect(messageOf(response)).toContain(lastFour(old));
    expect((await keys.read(key.id)).tokens).toHaveLength(1);
  });
});

describe('expected_last_four', () => {
  test('that no token of the key ever had is refused with the last four of its token', async () => {
    const key = await account.key();
    await useToken(api, key.token);
    ctx.clock.advance(1000);
    const refusal = async () =>
      detailsOf(await keys.rotate(key.id, { expected_last_four: 'zzzz' }));
    expect(await refusal()).toEqual({
      expected_last_four: [`The newest token of this key ends in ${key.lastFour}.`],
    });
    const rotated = tokenOf(await keys.rotate(key.id));
    expect(await refusal()).toEqual({
      expected_last_four: [`The newest token of this key ends in ${lastFour(rotated)}.`],
    });
  });
});

describe('a dry run of a rotation', () => {
  test('says what the rotation would do to each token, and changes nothing', async () => {
    for (const body of [{}, { grace_period_seconds: 0 }, { grace_period_seconds: 60 }]) {
      for (const isNewestUnconfirmed of [true, false]) {
        const { key } = await keyWithTokens(ctx, account, { count: 3, isNewestUnconfirmed });
        const before = await everything(key.id);
        const dry = await keys.rotate(key.id, { ...body, dry_run: true });
        expect(dry.status).toBe(200);
        expect(await everything(key.id)).toEqual(before);

        const fates = dataOf<{ tokens: Fate[] }>(dry).tokens;
        const former = (await keys.read(key.id)).tokens;
        expect(fates.map((fate) => fate.last_four)).toEqual(former.map((each) => each.last_four));
        expect((await keys.rotate(key.id, { ...body, dry_run: false })).status).toBe(201);
        const still = new Map(
          (await keys.read(key.id)).tokens.map((each) => [each.last_four, each]),
        );
        for (const fate of fates) {
          expect(fate).toEqual({
            last_four: fate.last_four,
            valid_until: still.get(fate.last_four)?.valid_until ?? null,
            ends_now: !still.has(fate.last_four),
          });
        }
      }
    }
  });

  test('is refused as the rotation would be', async () => {
    const { key: full } = await keyWithTokens(ctx, account, { count: 20 });
    const narrow = await account.key({ scopes: ['api-keys:manage'] });
    const dead = await account.key();
    await keys.revoke(dead.id);
    const key = await account.key();
    await keys.rotate(key.id);
    const refused: [status: number, id: number, body: object, as: string][] = [
      [422, full.id, {}, caller.token],
      [403, key.id, {}, narrow.token],
      [403, key.id, {}, key.token],
      [404, 2_000_000_000, {}, caller.token],
      [422, dead.id, {}, caller.token],
      [422, key.id, { expected_last_four: key.lastFour }, caller.token],
      [422, key.id, { grace_period_seconds: -1 }, caller.token],
    ];
    for (const [status, id, body, as] of refused) {
      const dry = await keys.as(as).rotate(id, { ...body, dry_run: true });
      const real = await keys.as(as).rotate(id, body);
      expect(dry.status).toBe(status);
      expect(dry.text).toBe(real.text);
    }
  });
});

type Fate = { last_four: string; valid_until: string | null; ends_now: boolean };

/** A token that a person was shown and did not confirm. */
async function rotateInDashboard(
  apiKey: string,
  body: { grace_period_seconds?: number } = {},
): Promise<string> {
  const owner = await account.member('owner');
  return (await rotateApiKey(ctx, owner, { apiKey, ...body })).token;
}

async function everything(apiKeyId: number) {
  return [
    await ctx.db.query.apiKeyTokens.findMany({ where: eq(apiKeyTokens.apiKeyId, apiKeyId) }),
    await ctx.db.$count(auditEntries),
    await ctx.db.query.idempotentResponses.findMany(),
  ];
}

async function lastChanges(keyUuid: string) {
  const entries = await auditEntriesOf(ctx, account.id);
  return entries.findLast(({ target }) => target.id === keyUuid)?.changes;
}

function messageOf(response: ApiResponse): unknown {
  return dataOf(response)['message'];
}
