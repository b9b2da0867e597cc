import { describe, expect, test } from 'vitest';
import { dayMs, hourMs } from '#lib/durations.ts';
import { KeyCalls } from '../../../testing/api-keys/key-calls.ts';
import { statusOf, tokenOf, useToken } from '../../../testing/api-keys/tokens.ts';
import { dataOf, detailsOf } from '../../../testing/api.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, api, account, caller } = useApi();
const keys = new KeyCalls(caller);

describe('rotating a key', () => {
  test('says in its message how long the old token stays valid', async () => {
    const key = await account.key();
    const response = await keys.rotate(key.id, { grace_period_seconds: 3600 });
    const until = ctx.clock.apiTime(hourMs);
    expect(dataOf(response)['message']).toBe(
      `Save this token now; it will not be shown again. The old token stays valid for 1 hour, until ${until}.`,
    );
  });

  test('shows the older token in the list while it is valid', async () => {
    const key = await account.key();
    await keys.rotate(key.id);
    const listed = await keys.find(key.id);
    expect(listed).toMatchObject({
      status: 'rotating',
      previous_token: {
        last_four: key.lastFour,
        replaced_at: ctx.clock.apiTime(),
      },
    });
    ctx.clock.advance(dayMs);
    expect(await keys.find(key.id)).toMatchObject({ status: 'active', previous_token: null });
  });

  test('sets the key’s last_rotated_at, which is null before the first rotation', async () => {
    const key = await account.key();
    expect(await keys.find(key.id)).toMatchObject({ rotated_at: null });
    ctx.clock.advance(1000);
    await keys.rotate(key.id, { grace_period_seconds: 0 });
    const rotated_at = ctx.clock.apiTime();
    expect(await keys.find(key.id)).toMatchObject({ rotated_at, previous_token: null });
    ctx.clock.advance(1000);
    expect(await keys.find(key.id)).toMatchObject({ rotated_at });
  });

  test('with a grace period of 0 ends the old token at once, cached or not', async () => {
    const key = await account.key();
    expect(await statusOf(api, key.token)).toBe(200);
    const response = await keys.rotate(key.id, { grace_period_seconds: 0 });
    expect(await statusOf(api, key.token)).toBe(401);
    expect(dataOf(response)['message']).toContain('Every older token has stopped working.');
  });

  test('states on every call with the old token when it ends', async () => {
    const key = await account.key();
    expect(await statedEnd(key.token)).toBeNull();
    const fresh = tokenOf(await keys.rotate(key.id));
    const until = ctx.clock.apiTime(dayMs);
    expect(await statedEnd(key.token)).toBe(until);
    expect(await statedEnd(fresh)).toBeNull();
  });

  test('states it on a call beyond the limit of the key, too', async () => {
    const key = await account.key();
    await keys.change(key.id, { rate_limit_per_minute: 1 });
    await keys.rotate(key.id);
    await useToken(api, key.token);
    const refused = await key.get('/api/v1/api-key');
    expect(refused.status).toBe(429);
    expect(refused.headers.get('API-Key-Expires')).toBe(ctx.clock.apiTime(dayMs));
  });

  test('states the end of the key if it comes before that of the old token', async () => {
    const key = await account.key();
    await keys.rotate(key.id);
    const end = ctx.clock.apiTime(hourMs);
    await keys.change(key.id, { expires_at: end });
    expect(await statedEnd(key.token)).toBe(end);
  });

  test('a second time, after the new token was used, leaves all three valid', async () => {
    const key = await account.key();
    const second = tokenOf(await keys.rotate(key.id));
    expect(await statusOf(api, second)).toBe(200);
    const third = tokenOf(await keys.rotate(key.id));
    for (const each of [key.token, second, third]) expect(await statusOf(api, each)).toBe(200);
  });

  test('never gives a grace period beyond the end of the key', async () => {
    const end = ctx.clock.apiTime(hourMs);
    const key = await account.key({ expiresAt: end });
    await keys.rotate(key.id);
    expect(await keys.find(key.id)).toMatchObject({ previous_token: { valid_until: end } });
  });

  test('an expired key cannot be rotated', async () => {
    const key = await account.key({ expiresAt: ctx.clock.apiTime(1000) });
    ctx.clock.advance(1000);
    expect((await keys.rotate(key.id)).status).toBe(422);
    expect(await keys.find(key.id)).toMatchObject({ status: 'expired' });
  });

  test('changes nothing when somebody else rotated first, and says who and when', async () => {
    const key = await account.key();
    const fresh = tokenOf(await keys.rotate(key.id));
    const response = await keys.rotate(key.id, { expected_last_four: key.lastFour });
    expect(response.status).toBe(422);
    expect(detailsOf(response)['expected_last_four']?.[0]).toMatch(
      /^This key was already rotated at .+ by Production server\.$/,
    );
    expect(await statusOf(api, fresh)).toBe(200);
    expect(await statusOf(api, key.token)).toBe(200);
  });

  test('is refused to a token in its grace period, which can still do everything else', async () => {
    const key = await account.key();
    await keys.rotate(key.id);
    expect((await keys.as(key.token).rotate(key.id)).status).toBe(403);
    expect((await keys.as(key.token).create({ name: 'Mine', type: 'full' })).status).toBe(403);
    expect((await key.get('/api/v1/api-keys')).status).toBe(200);
  });

  test('is refused for a key that reaches further than the caller', async () => {
    const strong = await account.key();
    const narrow = await account.key({ scopes: ['api-keys:manage'] });
    expect((await keys.as(narrow.token).rotate(strong.id)).status).toBe(403);
    expect((await keys.as(narrow.token).rotate(narrow.id)).status).toBe(201);
  });

  test('in another account is the same 404 as for a key that does not exist', async () => {
    const stranger = await (await api.account()).key();
    const theirs = await keys.rotate(stranger.id);
    const none = await keys.rotate(2_000_000_000);
    const nonsense = await keys.rotate('not-an-id');
    expect([theirs.status, none.status, nonsense.status]).toEqual([404, 404, 404]);
    expect(theirs.text).toBe(none.text);
    expect(nonsense.text).toBe(none.text);
    expect((await keys.rotate(stranger.uuid)).text).toBe(none.text);
  });

  test.each([
    ['a fraction', { grace_period_seconds: 1.5 }, 'grace_period_seconds'],
    ['more than 7 days', { grace_period_seconds: 604_801 }, 'grace_period_seconds'],
    ['text', { grace_period_seconds: '60' }, 'grace_period_seconds'],
    ['a field it does not know', { grace: 1 }, 'grace'],
  ])('with %s is refused at that field', async (_what, body, field) => {
    const key = await account.key();
    expect(Object.keys(detailsOf(await keys.rotate(key.id, body)))).toEqual([field]);
  });

  test('with a body that is not a JSON object is refused', async () => {
    const key = await account.key();
    for (const body of ['{', '[0]', '"text"', 'false', '\ufffd{}']) {
      const response = await keys.rotate(key.id, body);
      expect(response.status).toBe(422);
      expect(Object.keys(detailsOf(response))).toEqual(['body']);
    }
  });

  test('with a body that is not JSON by its type is 415, and the message names the header to send', async () => {
    const key = await account.key();
    const path = `/api/v1/api-keys/${key.id}/rotate`;
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const response = await caller.post(path, 'grace_period_seconds=0', headers);
    expect(response.status).toBe(415);
    expect(response.body).toMatchObject({
      error: {
        code: 'UNSUPPORTED_MEDIA_TYPE',
        message: expect.stringContaining('Content-Type: application/json'),
      },
    });
  });

  test('with a compressed body is 415, and the message says why', async () => {
    const key = await account.key();
    const path = `/api/v1/api-keys/${key.id}/rotate`;
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
    const response = await caller.post(path, '{"grace_period_seconds":0}', headers);
    expect(response.status).toBe(415);
    expect(response.body).toMatchObject({
      error: { message: expect.stringContaining('without compression') },
    });
  });

  test('with a body above 1 MiB is 413', async () => {
    const key = await account.key();
    const response = await keys.rotate(key.id, { expected_last_four: 'x'.repeat(1_048_576) });
    expect(response.status).toBe(413);
    expect(response.body).toMatchObject({ error: { code: 'PAYLOAD_TOO_LARGE' } });
  });
});

/** When the key or its token ends, as the response to a call with it states. */
async function statedEnd(ofToken: string): Promise<string | null> {
  return (await api.as(ofToken).get('/api/v1/api-key')).headers.get('API-Key-Expires');
}
