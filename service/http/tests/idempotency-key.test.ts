import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayMs, hourMs, minuteMs } from '#lib/durations.ts';
import { apiKeyTokens } from '../../db/schema/api-keys/api-key-tokens.ts';
import { apiKeys } from '../../db/schema/api-keys/api-keys.ts';
import { auditEntries } from '../../db/schema/audit.ts';
import { lanes } from '../../db/schema/webhooks/lanes.ts';
import { members } from '../../db/schema/people/members.ts';
import { webhookSecrets } from '../../db/schema/webhooks/webhooks.ts';
import type { PersonActor } from '../../domain/actor.ts';
import { dataOf, detailsOf, itemsOf, TestApi } from '../../testing/api.ts';
import type { ApiResponse, TestAccount } from '../../testing/api.ts';
import { createTestContext } from '../../testing/context.ts';
import type { TestContext } from '../../testing/context.ts';
import { withSessionsById } from '../../testing/sessions.ts';

/**
 * A request that makes a token or secret is sent again with its `Idempotency-Key`, because the
 * response was lost: nothing is made twice, and an unused token or secret is replaced.
 */
let ctx: TestContext;
let api: TestApi;
let account: TestAccount;
let token: string;

const save = 'Save this token now; it will not be shown again.';

beforeAll(async () => {
  ctx = withSessionsById(await createTestContext());
  api = new TestApi(ctx);
  account = await api.account();
  token = (await account.key()).token;
});
afterAll(() => ctx.dispose());

test('creating a webhook again returns the first webhook, and creates no other', async () => {
  const body = { name: 'Made once', url: 'https://example.com/once', events: ['message.created'] };
  const send = (sent: object) =>
    api.call('POST', '/api/v1/webhooks', {
      token,
      body: sent,
      headers: { 'Idempotency-Key': 'webhook-1' },
    });
  const first = await send(body);
  expect(first.status).toBe(201);
  const again = await send(body);
  expect([again.status, dataOf(again)]).toEqual([201, dataOf(first)]);
  expectRefusal(
    await send({ ...body, name: 'Another' }),
    'This key was used for another request in the last 24 hours. Use a new one.',
  );
  const made = itemsOf(await api.call('GET', '/api/v1/webhooks', { token }));
  expect(made.map(({ id }) => id)).toEqual([dataOf(first).id]);
});

describe('creating a key again', () => {
  test('gives the same key a new token, and the lost one never works', async () => {
    const name = 'Lost';
    const first = await create('create-1', { name });
    ctx.clock.advance(9 * minuteMs);
    const again = await create('create-1', { name });

    const [lost, fresh] = [tokenOf(first), tokenOf(again)];
    expect(fresh).not.toBe(lost);
    expect(dataOf(again)).toEqual({
      ...dataOf(first),
      token: fresh,
      last_four: fresh.slice(-4),
      tokens: [{ ...(dataOf(first)['tokens'] as object[])[0], last_four: fresh.slice(-4) }],
      message: `${save} The token ending in ${lost.slice(-4)}, which was never used, has stopped working.`,
    });
    expect(await statuses([lost, fresh])).toEqual([401, 200]);
    expect(await countKeys(name)).toBe(1);
  });

  test('can be repeated as often as responses are lost, and is audited each time', async () => {
    const tokens: string[] = [];
    for (let sent = 0; sent < 4; sent += 1) {
      tokens.push(tokenOf(await create('create-often', { name: 'Often lost' })));
    }
    expect(await statuses(tokens)).toEqual([401, 401, 401, 200]);
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
    const made = await create('create-used', { name: 'In use' });
    await use(tokenOf(made));
    const again = await create('create-used', { name: 'In use' });
    expectRefusal(
      again,
      `The token that this request made has been used, so you received it. To get another token, rotate key ${dataOf(made).id} with a new Idempotency-Key.`,
    );
    expect(await statuses([tokenOf(made)])).toEqual([200]);
  });

  test('is refused after 10 minutes, and makes another key after 24 hours', async () => {
    const made = await create('create-late', { name: 'Late' });
    const madeAt = ctx.clock.now().toISOString().replace('Z', '+00:00');
    ctx.clock.advance(10 * minuteMs);
    expectRefusal(
      await create('create-late', { name: 'Late' }),
      `The response to this request was sent at ${madeAt}, and the request could be repeated for 10 minutes. To get another token, rotate key ${dataOf(made).id} with a new Idempotency-Key.`,
    );
    expect(await countKeys('Late')).toBe(1);
    ctx.clock.advance(dayMs - 10 * minuteMs);
    expect(dataOf(await create('create-late', { name: 'Late' })).id).not.toBe(dataOf(made).id);
  });

  test('is refused with another body', async () => {
    await create('create-other', { name: 'One' });
    expectRefusal(
      await create('create-other', { name: 'Another' }),
      'This key was used for another request in the last 24 hours. Use a new one.',
    );
    expect(await countKeys('Another')).toBe(0);
  });

  test('is refused once the key was rotated, or revoked', async () => {
    const rotated = dataOf(await create('create-rotated', { name: 'Rotated' }));
    await rotate(rotated.id, null);
    expectRefusal(
      await create('create-rotated', { name: 'Rotated' }),
      `The token that this request made was replaced at ${now()} by Production server. To get another token, rotate key ${rotated.id} with a new Idempotency-Key.`,
    );
    const revoked = dataOf(await create('create-revoked', { name: 'Revoked' }));
    await api.call('DELETE', `/api/v1/api-keys/${revoked.id}`, { token });
    expectRefusal(
      await create('create-revoked', { name: 'Revoked' }),
      'The key of this request is revoked. Create a new one with a new Idempotency-Key.',
    );
  });

  test('is another request when another caller sends it', async () => {
    const other = await account.key();
    const mine = dataOf(await create('create-shared', { name: 'Mine' }));
    const theirs = dataOf(await create('create-shared', { name: 'Mine' }, other.token));
    expect(theirs.id).not.toBe(mine.id);
    expect(await statuses([String(mine['token']), String(theirs['token'])])).toEqual([200, 200]);
  });

  test('remembers only what succeeded: a refused request can be sent again', async () => {
    const full = { name: 'First refused', expires_at: ctx.clock.now().toISOString() };
    expect((await create('create-refused', full)).status).toBe(422);
    expect((await create('create-refused', { name: 'First refused' })).status).toBe(201);
  });

  test('confirms caller and key first: a caller without the rights is refused', async () => {
    const maker = await account.key({ scopes: ['api-keys:manage', 'webhooks:read'] });
    const body = { name: 'Narrowed', type: 'limited', scopes: ['webhooks:read'] };
    const made = await create('create-narrowed', body, maker.token);
    await ctx.db
      .update(apiKeys)
      .set({ scopes: ['api-keys:manage'] })
      .where(eq(apiKeys.id, maker.id));
    ctx.keyCache.clear();
    expect((await create('create-narrowed', body, maker.token)).status).toBe(403);
    expect(await statuses([tokenOf(made)])).toEqual([200]);
  });

  test('is refused to a token in its grace period, whatever it made before', async () => {
    const maker = await account.key();
    const made = await create('create-grace', { name: 'By an old token' }, maker.token);
    await rotate(maker.id, null);
    const again = await create('create-grace', { name: 'By an old token' }, maker.token);
    expect(again.status).toBe(403);
    expect(await statuses([tokenOf(made)])).toEqual([200]);
  });

  test('without Idempotency-Key makes another key', async () => {
    await create(null, { name: 'Twice' });
    await create(null, { name: 'Twice' });
    expect(await countKeys('Twice')).toBe(2);
  });
});

describe('rotating a key again', () => {
  test('replaces the unused token, and no older deadline moves', async () => {
    const key = await account.key();
    const second = tokenOf(await rotate(key.id, null));
    await use(second);
    ctx.clock.advance(hourMs);
    const lost = tokenOf(await rotate(key.id, 'rotate-1'));
    const before = await tokensOf(key.id);
    ctx.clock.advance(5 * minuteMs);
    const again = await rotate(key.id, 'rotate-1');

    const fresh = tokenOf(again);
    expect(await statuses([key.token, second, lost, fresh])).toEqual([200, 200, 401, 200]);
    const [newest, ...older] = await tokensOf(key.id);
    expect(newest).toEqual({ ...before[0], last_four: fresh.slice(-4), last_used_at: now() });
    expect(older.map(({ id, valid_until }) => [id, valid_until])).toEqual(
      before.slice(1).map(({ id, valid_until }) => [id, valid_until]),
    );
    expect(dataOf(again)['message']).toBe(
      `${save} The older tokens stay valid: the one ending in ${second.slice(-4)} for 23 hours 55 minutes, until ${older[0]?.valid_until}; the one ending in ${key.lastFour} for 22 hours 55 minutes, until ${older[1]?.valid_until}. The token ending in ${lost.slice(-4)}, which was never used, has stopped working.`,
    );
  });

  test('with one older token keeps the documented sentence', async () => {
    const key = await account.key();
    const body = { grace_period_seconds: 3600 };
    await rotate(key.id, 'rotate-documented', body);
    const again = await rotate(key.id, 'rotate-documented', body);
    const until = new Date(ctx.clock.now().getTime() + hourMs);
    expect(dataOf(again)['message']).toContain(
      `${save} The old token stays valid for 1 hour, until ${until.toISOString().replace('Z', '+00:00')}.`,
    );
  });

  test('is refused for a used token, after 10 minutes, with another body and for another key', async () => {
    const key = await account.key();
    const made = await rotate(key.id, 'rotate-refused');
    expectRefusal(
      await rotate(key.id, 'rotate-refused', { grace_period_seconds: 60 }),
      'This key was used for another request in the last 24 hours. Use a new one.',
    );
    const other = await account.key();
    expectRefusal(
      await rotate(other.id, 'rotate-refused'),
      'This key was used for another request in the last 24 hours. Use a new one.',
    );
    await use(tokenOf(made));
    const before = await tokensOf(key.id);
    expect((await rotate(key.id, 'rotate-refused')).status).toBe(422);
    ctx.clock.advance(10 * minuteMs);
    expect((await rotate(key.id, 'rotate-refused')).status).toBe(422);
    expect(await tokensOf(key.id)).toEqual(before);
  });

  test('needs the caller’s present rights', async () => {
    const maker = await account.key({ scopes: ['api-keys:manage', 'webhooks:read'] });
    const key = await account.key({ scopes: ['webhooks:read'] });
    const made = await rotate(key.id, 'rotate-wider', {}, maker.token);
    const wider = { scopes: ['webhooks:read', 'events:read'] };
    await api.call('PATCH', `/api/v1/api-keys/${key.id}`, { token, body: wider });
    expect((await rotate(key.id, 'rotate-wider', {}, maker.token)).status).toBe(403);
    expect(await statuses([tokenOf(made)])).toEqual([200]);
  });

  test('a dry run is not remembered', async () => {
    const key = await account.key();
    expect((await rotate(key.id, 'rotate-dry', { dry_run: true })).status).toBe(200);
    expect((await rotate(key.id, 'rotate-dry')).status).toBe(201);
    expect((await rotate(key.id, 'rotate-dry', { dry_run: true })).status).toBe(200);
  });
});

describe('a key that rotates itself and loses the response', () => {
  test('gets a token with the one that the rotation put into its grace period', async () => {
    const key = await account.key();
    const lost = tokenOf(await rotate(key.id, 'self-1', {}, key.token));
    const before = await tokensOf(key.id);
    const again = await rotate(key.id, 'self-1', {}, key.token);
    const fresh = tokenOf(again);
    expect(await statuses([key.token, lost, fresh])).toEqual([200, 401, 200]);
    expect((await tokensOf(key.id)).map(({ id, valid_until }) => [id, valid_until])).toEqual(
      before.map(({ id, valid_until }) => [id, valid_until]),
    );
  });

  test('can do nothing else with that token', async () => {
    const key = await account.key();
    const other = await account.key();
    await rotate(key.id, 'self-2', {}, key.token);
    const before = await everything();
    const refused = [
      await rotate(key.id, 'another-name', {}, key.token),
      await rotate(key.id, null, {}, key.token),
      await rotate(other.id, 'self-2', {}, key.token),
      await create('self-2', { name: 'More' }, key.token),
      await api.call('POST', `/api/v1/api-keys/${key.id}/rotate`, {
        token: key.token,
        body: { dry_run: true },
        headers: named('self-2'),
      }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    const otherBody = await rotate(key.id, 'self-2', { grace_period_seconds: 0 }, key.token);
    expect(otherBody.status).toBe(422);
    expect(await everything()).toEqual(before);
  });

  test('is refused once the new token was used, or another actor rotated the key', async () => {
    const key = await account.key();
    const arrived = tokenOf(await rotate(key.id, 'self-3', {}, key.token));
    await use(arrived);
    expect((await rotate(key.id, 'self-3', {}, key.token)).status).toBe(422);
    expect(await statuses([arrived])).toEqual([200]);

    const taken = await account.key();
    await rotate(taken.id, 'self-4', {}, taken.token);
    const theirs = tokenOf(await rotate(taken.id, null));
    expect((await rotate(taken.id, 'self-4', {}, taken.token)).status).toBe(422);
    expect(await statuses([theirs])).toEqual([200]);
  });

  test('is refused if another actor rotated the key', async () => {
    const key = await account.key();
    const theirs = tokenOf(await rotate(key.id, 'not-mine'));
    expect((await rotate(key.id, 'not-mine', {}, key.token)).status).toBe(403);
    expect(await statuses([theirs])).toEqual([200]);
  });
});

describe('regenerating a secret again', () => {
  test('replaces the secret, and the old one signs as long as before', async () => {
    const { id } = await account.webhook();
    await regenerate(id, null, { grace_period_seconds: 0 });
    ctx.clock.advance(minuteMs);
    const lost = await regenerate(id, 'secret-1', { grace_period_seconds: 3600 });
    const before = await secretsOf(id);
    ctx.clock.advance(minuteMs);
    const again = await regenerate(id, 'secret-1', { grace_period_seconds: 3600 });

    expect(again.status).toBe(201);
    expect(Object.keys(dataOf(again))).toEqual(['secret', 'message']);
    expect(dataOf(again)['secret']).not.toBe(dataOf(lost)['secret']);
    const until = before[1]?.validUntil?.toISOString().replace('Z', '+00:00');
    expect(dataOf(again)['message']).toBe(
      `Save this secret now; it will not be shown again. The old secret signs beside it for 59 minutes, until ${until}.`,
    );
    const after = await secretsOf(id);
    expect(after.map(({ validUntil }) => validUntil)).toEqual(
      before.map(({ validUntil }) => validUntil),
    );
    expect(after.map(openSecret)).toEqual([
      dataOf(again)['secret'],
      before[1] && openSecret(before[1]),
    ]);
  });

  test('for the first secret that is shown leaves the webhook’s original secret as it is', async () => {
    const { id } = await account.webhook();
    const [made] = await secretsOf(id);
    ctx.clock.advance(minuteMs);
    await regenerate(id, 'secret-first');
    ctx.clock.advance(minuteMs);
    const again = await regenerate(id, 'secret-first');
    expect(again.status).toBe(201);
    expect(dataOf(again)['message']).toMatch(
      /^Save this secret now; it will not be shown again\. The previous secret, which was never shown, signs beside it for 23 hours/,
    );
    const after = await secretsOf(id);
    expect(after.map(openSecret)).toEqual([dataOf(again)['secret'], made && openSecret(made)]);
    expect(after.map(({ revealedTo }) => revealedTo?.kind)).toEqual(['api_key', undefined]);
  });

  test('with a grace period of 0, says that deliveries are signed with it', async () => {
    const { id } = await account.webhook();
    const alone = { grace_period_seconds: 0 };
    await regenerate(id, 'secret-now', alone);
    expect(dataOf(await regenerate(id, 'secret-now', alone))['message']).toBe(
      'Save this secret now; it will not be shown again. Deliveries are signed with it from now on.',
    );
    expect(await secretsOf(id)).toHaveLength(1);
  });

  test('is refused once a delivery was, or may have been, signed with it', async () => {
    const { id } = await account.webhook();
    ctx.clock.advance(minuteMs);
    const made = await regenerate(id, 'secret-signed');
    const signed = `Deliveries are signed with the secret that this request made. To get another one, regenerate the secret of webhook ${id} with a new Idempotency-Key.`;
    const lane = eq(lanes.webhookId, id);
    await ctx.db.update(lanes).set({ owner: crypto.randomUUID() }).where(lane);
    expectRefusal(await regenerate(id, 'secret-signed'), signed);
    await ctx.db.update(lanes).set({ owner: null, lastTriggeredAt: ctx.clock.now() }).where(lane);
    expectRefusal(await regenerate(id, 'secret-signed'), signed);
    expect((await secretsOf(id)).map(openSecret)[0]).toBe(dataOf(made)['secret']);
  });

  test('is refused once the person it was shown to confirmed having it', async () => {
    const { id } = await account.webhook();
    ctx.clock.advance(minuteMs);
    const admin = await account.member('admin');
    const path = `/api/v1/webhooks/${id}/regenerate-secret`;
    const saved = dataOf(await callNamed(admin, ['POST', path], 'secret-saved'))['secret'];
    const confirming = `/api/dashboard/webhooks/${id}/confirm-secret`;
    const body = { last_four: String(saved).slice(-4) };
    expect((await callNamed(admin, ['POST', confirming, body], 'done')).status).toBe(204);
    expectRefusal(
      await callNamed(admin, ['POST', path], 'secret-saved'),
      `Somebody confirmed having the secret of this request. To get another one, regenerate the secret of webhook ${id} with a new Idempotency-Key.`,
    );
    expect((await secretsOf(id)).map(openSecret)[0]).toBe(saved);
  });

  test('is refused after 10 minutes, with another body, or once another was made', async () => {
    const { id } = await account.webhook();
    await regenerate(id, 'secret-late');
    const before = await secretsOf(id);
    expectRefusal(
      await regenerate(id, 'secret-late', { grace_period_seconds: 1 }),
      'This key was used for another request in the last 24 hours. Use a new one.',
    );
    ctx.clock.advance(10 * minuteMs);
    expect((await regenerate(id, 'secret-late')).status).toBe(422);
    expect(await secretsOf(id)).toEqual(before);
    await regenerate(id, 'secret-once');
    ctx.clock.advance(minuteMs);
    await regenerate(id, null);
    expectRefusal(
      await regenerate(id, 'secret-once'),
      `The secret that this request made was replaced since. To get another one, regenerate the secret of webhook ${id} with a new Idempotency-Key.`,
    );
  });

  test('of a deleted webhook is the same 404 as for one that does not exist', async () => {
    const { id } = await account.webhook();
    await regenerate(id, 'secret-gone');
    await api.call('DELETE', `/api/v1/webhooks/${id}`, { token });
    expect((await regenerate(id, 'secret-gone')).status).toBe(404);
  });
});

describe('in the dashboard', () => {
  test('a person can repeat their own requests, and nobody else’s', async () => {
    const admin = await account.member('admin');
    const owner = await account.member('owner');
    const body = { name: 'By Ida', type: 'bot' };
    const path = '/api/v1/api-keys';
    const first = await callNamed(admin, ['POST', path, body], 'person-1');
    const again = await callNamed(admin, ['POST', path, body], 'person-1');
    expect(dataOf(again).id).toBe(dataOf(first).id);
    const other = await callNamed(owner, ['POST', path, body], 'person-1');
    expect(dataOf(other).id).not.toBe(dataOf(first).id);

    const rotation = `${path}/${dataOf(first).id}/rotate`;
    const rotated = await callNamed(admin, ['POST', rotation, {}], 'person-2');
    const repeated = await callNamed(admin, ['POST', rotation, {}], 'person-2');
    expect(await statuses([tokenOf(rotated), tokenOf(repeated)])).toEqual([401, 200]);

    const webhook = await account.webhook();
    ctx.clock.advance(minuteMs);
    const secret = `/api/v1/webhooks/${webhook.id}/regenerate-secret`;
    const made = await callNamed(admin, ['POST', secret], 'person-3');
    const remade = await callNamed(admin, ['POST', secret], 'person-3');
    expect(made.text).not.toBe(remade.text);
    const shownTo = (await secretsOf(webhook.id)).map(({ revealedTo }) => revealedTo?.name);
    expect(shownTo).toEqual(['Ida admin', undefined]);
  });

  test('a person who lost the right is refused', async () => {
    const support = await account.member('support');
    const key = await account.key({ scopes: ['webhooks:read'] });
    const path = `/api/v1/api-keys/${key.id}/rotate`;
    const made = await callNamed(support, ['POST', path, {}], 'support-1');
    const wider = await account.key();
    await ctx.db.update(apiKeys).set({ type: 'full', scopes: null }).where(eq(apiKeys.id, key.id));
    expect((await callNamed(support, ['POST', path, {}], 'support-1')).status).toBe(403);
    ctx.keyCache.clear();
    expect(await statuses([tokenOf(made), wider.token])).toEqual([200, 200]);
  });
});

describe('rotating on request again', () => {
  test('replaces the unused token, although the request is done', async () => {
    const { key, path, admin } = await askedToRotate();
    const body = { expected_last_four: key.lastFour };
    const lost = tokenOf(await callNamed(admin, ['POST', path, body], 'on-request-1'));
    const again = tokenOf(await callNamed(admin, ['POST', path, body], 'on-request-1'));
    expect(await statuses([key.token, lost, again])).toEqual([200, 401, 200]);
    expect(await tokensOf(key.id)).toHaveLength(2);
  });

  test('is refused for a used token and with another body, and to anybody else', async () => {
    const { path, admin } = await askedToRotate();
    const made = await callNamed(admin, ['POST', path, {}], 'on-request-2');
    const owner = await account.member('owner');
    expect((await callNamed(owner, ['POST', path, {}], 'on-request-2')).status).toBe(404);
    const endsNow = { grace_period_seconds: 0 };
    expectRefusal(
      await callNamed(admin, ['POST', path, endsNow], 'on-request-2'),
      'This key was used for another request in the last 24 hours. Use a new one.',
    );
    const unnamed = await callNamed(admin, ['POST', path, {}], 'on-request-3');
    expect(Object.keys(detailsOf(unnamed))).toEqual(['rotation_request']);
    await use(tokenOf(made));
    const used = await callNamed(admin, ['POST', path, {}], 'on-request-2');
    expect(Object.keys(detailsOf(used))).toEqual(['Idempotency-Key']);
    expect(await statuses([tokenOf(made)])).toEqual([200]);
  });

  test('needs the member’s present rights', async () => {
    const { path, admin } = await askedToRotate();
    const made = await callNamed(admin, ['POST', path, {}], 'on-request-4');
    const membership = eq(members.personId, admin.personId);
    await ctx.db.update(members).set({ role: 'support' }).where(membership);
    expect((await callNamed(admin, ['POST', path, {}], 'on-request-4')).status).toBe(403);
    await ctx.db.update(members).set({ role: 'admin' }).where(membership);
    expect(await statuses([tokenOf(made)])).toEqual([200]);
  });

  /** A request of a support member to an admin, for a key that support must not see. */
  async function askedToRotate() {
    const admin = await account.member('admin');
    const key = await account.key();
    const asking = `/api/dashboard/api-keys/${key.id}/rotation-requests`;
    const body = { member: admin.personId, reason: 'lost' };
    const response = await callNamed(
      await account.member('support'),
      ['POST', asking, body],
      'ask',
    );
    const { uuid } = (response.body as { data: { uuid: string } }).data;
    return { key, admin, path: `/api/dashboard/rotation-requests/${uuid}/rotate` };
  }
});

describe('what is stored', () => {
  test('is only ids, and neither a token or secret nor its digest', async () => {
    const key = tokenOf(await create('stored-1', { name: 'Stored' }));
    const { id } = await account.webhook();
    const secret = String(dataOf(await regenerate(id, 'stored-2'))['secret']);
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

test.each(['', ' ', 'two words', 'x'.repeat(256)])(
  'the name %j is refused before anything is made',
  async (name) => {
    const before = await everything();
    expect(detailsOf(await create(name, { name: 'Unnamed' }))).toHaveProperty('Idempotency-Key');
    expect(await everything()).toEqual(before);
  },
);

async function create(
  name: string | null,
  body: Record<string, unknown>,
  as = token,
): Promise<ApiResponse> {
  const key = { type: 'bot', ...body };
  return await api.call('POST', '/api/v1/api-keys', {
    token: as,
    body: key,
    headers: named(name),
  });
}

async function rotate(
  key: number,
  name: string | null,
  body: unknown = {},
  as = token,
): Promise<ApiResponse> {
  const path = `/api/v1/api-keys/${key}/rotate`;
  return await api.call('POST', path, { token: as, body, headers: named(name) });
}

async function regenerate(
  id: number,
  name: string | null,
  body: unknown = {},
): Promise<ApiResponse> {
  const path = `/api/v1/webhooks/${id}/regenerate-secret`;
  return await api.call('POST', path, { token, body, headers: named(name) });
}

async function callNamed(
  person: PersonActor,
  [method, path, body]: [method: string, path: string, body?: unknown],
  name: string,
): Promise<ApiResponse> {
  return await api.call(method, path, {
    token: ctx.dashboardCredential,
    headers: { 'X-Dashboard-Session': person.personId, ...named(name) },
    ...(body !== undefined && { body }),
  });
}

function named(name: string | null): Record<string, string> {
  return name === null ? {} : { 'Idempotency-Key': name };
}

function expectRefusal(response: ApiResponse, message: string): void {
  expect(response.status).toBe(422);
  expect(detailsOf(response)).toEqual({ 'Idempotency-Key': [message] });
}

async function use(as: string): Promise<number> {
  return (await api.call('GET', '/api/v1/api-key', { token: as })).status;
}

async function statuses(tokens: readonly string[]): Promise<number[]> {
  return await Promise.all(tokens.map(use));
}

async function countKeys(name: string): Promise<number> {
  const keys = itemsOf(await api.call('GET', '/api/v1/api-keys', { token }));
  return keys.filter((key) => key['name'] === name).length;
}

type Shown = { id: number; last_four: string; valid_until: string | null };

async function tokensOf(id: number): Promise<Shown[]> {
  return dataOf(await api.call('GET', `/api/v1/api-keys/${id}`, { token }))['tokens'] as Shown[];
}

type Secret = typeof webhookSecrets.$inferSelect;

/** Newest first. */
async function secretsOf(webhookId: number): Promise<Secret[]> {
  return await ctx.db.query.webhookSecrets.findMany({
    where: eq(webhookSecrets.webhookId, webhookId),
    orderBy: (row, { desc }) => desc(row.createdAt),
  });
}

function openSecret({ sealed, uuid, accountId }: Secret): string {
  return ctx.cipher.open(sealed, { table: 'webhook_secrets', uuid, accountId });
}

async function everything() {
  return [
    await ctx.db.query.apiKeys.findMany(),
    (await ctx.db.select().from(apiKeyTokens)).map(({ id, digest, validUntil }) => [
      id,
      digest.toString('hex'),
      validUntil,
    ]),
    await ctx.db.$count(auditEntries),
  ];
}

function tokenOf(response: ApiResponse): string {
  expect(response.status).toBe(201);
  return String(dataOf(response)['token']);
}

function now(): string {
  return ctx.clock.now().toISOString().replace('Z', '+00:00');
}
