import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { dayMs, minuteMs } from '#lib/durations.ts';
import { apiKeys } from '../../../db/schema/api-keys/api-keys.ts';
import { auditEntries } from '../../../db/schema/audit.ts';
import { dataOf, detailsOf } from '../../../testing/api.ts';
import { RepeatingClient, expectRefusal } from '../../../testing/http/repeating-client.ts';
import { tokenOf } from '../../../testing/api-keys/tokens.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, api, account, caller } = useApi();
const client = new RepeatingClient(api, caller);

const save = 'Save this token now; it will not be shown again.';

test.each(['', 'two words', 'é', 'x'.repeat(256)])(
  'the Idempotency-Key “%s” is refused together with the wrong fields of the body',
  async (key) => {
    const send = (body: object) =>
      caller.post('/api/v1/conversations', body, { 'Idempotency-Key': key });
    const advice = ['Use 1 to 255 visible ASCII characters without spaces.'];
    expect(detailsOf(await send({ subject: 'Fine' }))).toEqual({ 'Idempotency-Key': advice });
    expect(detailsOf(await send({ subject: '' }))).toEqual({
      subject: [expect.any(String)],
      'Idempotency-Key': advice,
    });
  },
);

describe('creating a key again', () => {
  test('gives the same key a new token, and the lost one never works', async () => {
    const name = 'Lost';
    const first = await client.create('create-1', { name });
    ctx.clock.advance(9 * minuteMs);
    const again = await client.create('create-1', { name });

    const [lost, fresh] = [tokenOf(first), tokenOf(again)];
    expect(fresh).not.toBe(lost);
    expect(dataOf(again)).toEqual({
      ...dataOf(first),
      token: fresh,
      last_four: fresh.slice(-4),
      tokens: [{ ...(dataOf(first)['tokens'] as object[])[0], last_four: fresh.slice(-4) }],
      message: `${save} The token ending in ${lost.slice(-4)}, which was never used, has stopped working.`,
    });
    expect(await client.statuses([lost, fresh])).toEqual([401, 200]);
    expect(await client.countKeys(name)).toBe(1);
  });

  test('can be repeated as often as responses are lost, and is audited each time', async () => {
    const tokens: string[] = [];
    for (let sent = 0; sent < 4; sent += 1) {
      tokens.push(tokenOf(await client.create('create-often', { name: 'Often lost' })));
    }
    expect(await client.statuses(tokens)).toEqual([401, 401, 401, 200]);
    const entries = await ctx.db.query.auditEntries.findMany({
      where: eq(auditEntries.accountId, account.id),
      orderBy: (entry, { asc }) => asc(entry.id),
    });
    const ofKey = entries.filter(({ target }) => target.name === 'Often lost');
    expect(ofKey.map(({ action }) => action)).toEqual([
      'api_key.created',
      'api_key.token_replaced',
      'api_key.token_replaced',
      'api_key.token_replaced',
    ]);
    expect(ofKey[1]?.changes).toEqual({
      last_four: tokens[1]?.slice(-4),
      replaced_last_four: tokens[0]?.slice(-4),
    });
  });

  test('is refused once the token was used, and says what to do', async () => {
    const made = await client.create('create-used', { name: 'In use' });
    await client.use(tokenOf(made));
    const again = await client.create('create-used', { name: 'In use' });
    expectRefusal(
      again,
      `The token that this request made has been used, so you received it. To get another token, rotate key ${dataOf(made).id} with a new Idempotency-Key.`,
    );
    expect(await client.statuses([tokenOf(made)])).toEqual([200]);
  });

  test('is refused after 10 minutes, and makes another key after 24 hours', async () => {
    const made = await client.create('create-late', { name: 'Late' });
    const madeAt = ctx.clock.apiTime();
    ctx.clock.advance(10 * minuteMs);
    expectRefusal(
      await client.create('create-late', { name: 'Late' }),
      `The response to this request was sent at ${madeAt}, and the request could be repeated for 10 minutes. To get another token, rotate key ${dataOf(made).id} with a new Idempotency-Key.`,
    );
    expect(await client.countKeys('Late')).toBe(1);
    ctx.clock.advance(dayMs - 10 * minuteMs);
    expect(dataOf(await client.create('create-late', { name: 'Late' })).id).not.toBe(
      dataOf(made).id,
    );
  });

  test('is refused once the key was rotated, or revoked', async () => {
    const rotated = dataOf(await client.create('create-rotated', { name: 'Rotated' }));
    await client.rotate(rotated.id, null);
    expectRefusal(
      await client.create('create-rotated', { name: 'Rotated' }),
      `The token that this request made was replaced at ${ctx.clock.apiTime()} by Production server. To get another token, rotate key ${rotated.id} with a new Idempotency-Key.`,
    );
    const revoked = dataOf(await client.create('create-revoked', { name: 'Revoked' }));
    await caller.delete(`/api/v1/api-keys/${revoked.id}`);
    expectRefusal(
      await client.create('create-revoked', { name: 'Revoked' }),
      'The key of this request is revoked. Create a new one with a new Idempotency-Key.',
    );
  });

  test('is refused once the key has expired, for that reason and not for its past expires_at', async () => {
    const body = { name: 'Short-lived', expires_at: ctx.clock.apiTime(minuteMs) };
    expect((await client.create('create-expired', body)).status).toBe(201);
    ctx.clock.advance(minuteMs);
    expectRefusal(
      await client.create('create-expired', body),
      'The key of this request is expired. Create a new one with a new Idempotency-Key.',
    );
  });

  test('is refused after 10 minutes with the advice to create a new key, if the key has ended', async () => {
    const expiring = { name: 'Expired late', expires_at: ctx.clock.apiTime(20 * minuteMs) };
    expect((await client.create('create-late-expired', expiring)).status).toBe(201);
    const revoked = dataOf(await client.create('create-late-revoked', { name: 'Revoked late' }));
    await caller.delete(`/api/v1/api-keys/${revoked.id}`);
    const madeAt = ctx.clock.apiTime();
    ctx.clock.advance(20 * minuteMs);
    const late = `The response to this request was sent at ${madeAt}, and the request could be repeated for 10 minutes.`;
    expectRefusal(
      await client.create('create-late-expired', expiring),
      `${late} The key of this request is expired. Create a new one with a new Idempotency-Key.`,
    );
    expectRefusal(
      await client.create('create-late-revoked', { name: 'Revoked late' }),
      `${late} The key of this request is revoked. Create a new one with a new Idempotency-Key.`,
    );
  });

  test('is another request when another caller sends it', async () => {
    const other = await account.key();
    const mine = dataOf(await client.create('create-shared', { name: 'Mine' }));
    const theirs = dataOf(await client.as(other.token).create('create-shared', { name: 'Mine' }));
    expect(theirs.id).not.toBe(mine.id);
    expect(await client.statuses([String(mine['token']), String(theirs['token'])])).toEqual([
      200, 200,
    ]);
  });

  test('remembers only what succeeded: a refused request can be sent again', async () => {
    const full = { name: 'First refused', expires_at: ctx.clock.now().toISOString() };
    expect((await client.create('create-refused', full)).status).toBe(422);
    expect((await client.create('create-refused', { name: 'First refused' })).status).toBe(201);
  });

  test('confirms caller and key first: a caller without the rights is refused', async () => {
    const maker = await account.key({ scopes: ['api-keys:manage', 'webhooks:read'] });
    const body = { name: 'Narrowed', type: 'limited', scopes: ['webhooks:read'] };
    const made = await client.as(maker.token).create('create-narrowed', body);
    await ctx.db
      .update(apiKeys)
      .set({ scopes: ['api-keys:manage'] })
      .where(eq(apiKeys.id, maker.id));
    ctx.keyCache.clear();
    expect((await client.as(maker.token).create('create-narrowed', body)).status).toBe(403);
    expect(await client.statuses([tokenOf(made)])).toEqual([200]);
  });
});

describe('what is stored', () => {
  test('is only ids, and neither a token or secret nor its digest', async () => {
    const key = tokenOf(await client.create('stored-1', { name: 'Stored' }));
    const { id } = await account.webhook();
    const secret = String(dataOf(await client.regenerate(id, 'stored-2'))['secret']);
    const rows = await ctx.db.query.idempotentResponses.findMany();
    const kept = rows.filter(({ key: name }) => name.startsWith('stored-'));
    expect(kept.map(({ response }) => response)).toEqual([
      {
        apiKeyId: expect.any(Number),
        tokenId: expect.any(Number),
        callerTokenId: expect.any(Number),
      },
      { webhookId: id, secretUuid: expect.any(String) },
    ]);
    expect(JSON.stringify(rows)).not.toContain(key.slice(8));
    expect(JSON.stringify(rows)).not.toContain(secret.slice(6));
  });
});
