import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { hourMs, minuteMs } from '#lib/durations.ts';
import { members } from '../../../db/schema/people/members.ts';
import { dataOf, detailsOf } from '../../../testing/api.ts';
import { RepeatingClient, expectRefusal, named } from '../../../testing/http/repeating-client.ts';
import { tokenOf } from '../../../testing/api-keys/tokens.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, api, account, caller } = useApi();
const client = new RepeatingClient(api, caller);

const save = 'Save this token now; it will not be shown again.';

describe('rotating a key again', () => {
  test('replaces the unused token, and no older deadline moves', async () => {
    const key = await account.key();
    const second = tokenOf(await client.rotate(key.id, null));
    await client.use(second);
    ctx.clock.advance(hourMs);
    const lost = tokenOf(await client.rotate(key.id, 'rotate-1'));
    const before = await client.tokensOf(key.id);
    ctx.clock.advance(5 * minuteMs);
    const again = await client.rotate(key.id, 'rotate-1');

    const fresh = tokenOf(again);
    expect(await client.statuses([key.token, second, lost, fresh])).toEqual([200, 200, 401, 200]);
    const [newest, ...older] = await client.tokensOf(key.id);
    expect(newest).toEqual({
      ...before[0],
      last_four: fresh.slice(-4),
      last_used_at: ctx.clock.apiTime(),
      last_used_ip: expect.any(String),
    });
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
    await client.rotate(key.id, 'rotate-documented', body);
    const again = await client.rotate(key.id, 'rotate-documented', body);
    expect(dataOf(again)['message']).toContain(
      `${save} The old token stays valid for 1 hour, until ${ctx.clock.apiTime(hourMs)}.`,
    );
  });

  test('is refused for a used token, after 10 minutes, with another body and for another key', async () => {
    const key = await account.key();
    const made = await client.rotate(key.id, 'rotate-refused');
    expectRefusal(
      await client.rotate(key.id, 'rotate-refused', { grace_period_seconds: 60 }),
      'This Idempotency-Key was used for another request in the last 24 hours. Use a new one.',
    );
    const other = await account.key();
    expectRefusal(
      await client.rotate(other.id, 'rotate-refused'),
      'This Idempotency-Key was used for another request in the last 24 hours. Use a new one.',
    );
    await client.use(tokenOf(made));
    const before = await client.tokensOf(key.id);
    expect((await client.rotate(key.id, 'rotate-refused')).status).toBe(422);
    ctx.clock.advance(10 * minuteMs);
    expect((await client.rotate(key.id, 'rotate-refused')).status).toBe(422);
    expect(await client.tokensOf(key.id)).toEqual(before);
  });

  test('needs the caller’s present rights', async () => {
    const maker = await account.key({ scopes: ['api-keys:manage', 'webhooks:read'] });
    const key = await account.key({ scopes: ['webhooks:read'] });
    const made = await client.as(maker.token).rotate(key.id, 'rotate-wider');
    const wider = { scopes: ['webhooks:read', 'events:read'] };
    await caller.patch(`/api/v1/api-keys/${key.id}`, wider);
    expect((await client.as(maker.token).rotate(key.id, 'rotate-wider')).status).toBe(403);
    expect(await client.statuses([tokenOf(made)])).toEqual([200]);
  });

  test('a dry run is not remembered', async () => {
    const key = await account.key();
    expect((await client.rotate(key.id, 'rotate-dry', { dry_run: true })).status).toBe(200);
    expect((await client.rotate(key.id, 'rotate-dry')).status).toBe(201);
    expect((await client.rotate(key.id, 'rotate-dry', { dry_run: true })).status).toBe(200);
  });
});

describe('a key that rotates itself and loses the response', () => {
  test('gets a token with the one that the rotation put into its grace period', async () => {
    const key = await account.key();
    const lost = tokenOf(await client.as(key.token).rotate(key.id, 'self-1'));
    const before = await client.tokensOf(key.id);
    const again = await client.as(key.token).rotate(key.id, 'self-1');
    const fresh = tokenOf(again);
    expect(await client.statuses([key.token, lost, fresh])).toEqual([200, 401, 200]);
    expect((await client.tokensOf(key.id)).map(({ id, valid_until }) => [id, valid_until])).toEqual(
      before.map(({ id, valid_until }) => [id, valid_until]),
    );
  });

  test('can do nothing else with that token', async () => {
    const key = await account.key();
    const other = await account.key();
    await client.as(key.token).rotate(key.id, 'self-2');
    const before = await client.everything();
    const refused = [
      await client.as(key.token).rotate(key.id, 'another-name'),
      await client.as(key.token).rotate(key.id, null),
      await client.as(key.token).rotate(other.id, 'self-2'),
      await client.as(key.token).create('self-2', { name: 'More' }),
      await key.post(`/api/v1/api-keys/${key.id}/rotate`, { dry_run: true }, named('self-2')),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    const otherBody = await client
      .as(key.token)
      .rotate(key.id, 'self-2', { grace_period_seconds: 0 });
    expect(otherBody.status).toBe(422);
    expect(await client.everything()).toEqual(before);
  });

  test('is refused once the new token was used, or another actor rotated the key', async () => {
    const key = await account.key();
    const arrived = tokenOf(await client.as(key.token).rotate(key.id, 'self-3'));
    await client.use(arrived);
    expect((await client.as(key.token).rotate(key.id, 'self-3')).status).toBe(422);
    expect(await client.statuses([arrived])).toEqual([200]);

    const taken = await account.key();
    await client.as(taken.token).rotate(taken.id, 'self-4');
    const theirs = tokenOf(await client.rotate(taken.id, null));
    expect((await client.as(taken.token).rotate(taken.id, 'self-4')).status).toBe(422);
    expect(await client.statuses([theirs])).toEqual([200]);
  });

  test('is refused if another actor rotated the key', async () => {
    const key = await account.key();
    const theirs = tokenOf(await client.rotate(key.id, 'not-mine'));
    expect((await client.as(key.token).rotate(key.id, 'not-mine')).status).toBe(403);
    expect(await client.statuses([theirs])).toEqual([200]);
  });
});

describe('rotating on request again', () => {
  test('replaces the unused token, although the request is done', async () => {
    const { key, path, admin } = await askedToRotate();
    const body = { expected_last_four: key.lastFour };
    const lost = tokenOf(await api.as(admin).post(path, body, named('on-request-1')));
    const again = tokenOf(await api.as(admin).post(path, body, named('on-request-1')));
    expect(await client.statuses([key.token, lost, again])).toEqual([200, 401, 200]);
    expect(await client.tokensOf(key.id)).toHaveLength(2);
  });

  test('is refused for a used token and with another body, and to anyone else', async () => {
    const { path, admin } = await askedToRotate();
    const made = await api.as(admin).post(path, {}, named('on-request-2'));
    const owner = await account.member('owner');
    expect((await api.as(owner).post(path, {}, named('on-request-2'))).status).toBe(404);
    const endsNow = { grace_period_seconds: 0 };
    expectRefusal(
      await api.as(admin).post(path, endsNow, named('on-request-2')),
      'This Idempotency-Key was used for another request in the last 24 hours. Use a new one.',
    );
    const unnamed = await api.as(admin).post(path, {}, named('on-request-3'));
    expect(Object.keys(detailsOf(unnamed))).toEqual(['rotation_request']);
    await client.use(tokenOf(made));
    const used = await api.as(admin).post(path, {}, named('on-request-2'));
    expect(Object.keys(detailsOf(used))).toEqual(['Idempotency-Key']);
    expect(await client.statuses([tokenOf(made)])).toEqual([200]);
  });

  test('needs the member’s present rights', async () => {
    const { path, admin } = await askedToRotate();
    const made = await api.as(admin).post(path, {}, named('on-request-4'));
    const membership = eq(members.personId, admin.personId);
    await ctx.db.update(members).set({ role: 'support' }).where(membership);
    expect((await api.as(admin).post(path, {}, named('on-request-4'))).status).toBe(403);
    await ctx.db.update(members).set({ role: 'admin' }).where(membership);
    expect(await client.statuses([tokenOf(made)])).toEqual([200]);
  });

  /** A request of a support member to an admin, for a key that support must not see. */
  async function askedToRotate() {
    const admin = await account.member('admin');
    const key = await account.key();
    const asking = `/api/dashboard/api-keys/${key.id}/rotation-requests`;
    const body = { member: admin.personId, reason: 'lost' };
    const response = await api.as(await account.member('support')).post(asking, body, named('ask'));
    const { uuid } = dataOf<{ uuid: string }>(response);
    return { key, admin, path: `/api/dashboard/rotation-requests/${uuid}/rotate` };
  }
});
