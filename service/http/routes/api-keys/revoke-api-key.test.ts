import { describe, expect, test } from 'vitest';
import { KeyCalls } from '../../../testing/api-keys/key-calls.ts';
import { statusOf, tokenOf } from '../../../testing/api-keys/tokens.ts';
import { detailsOf } from '../../../testing/api.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, api, account, caller } = useApi();
const keys = new KeyCalls(caller);

describe('revoking a key', () => {
  test('ends all its tokens at once and keeps it in the list with the reason', async () => {
    const key = await account.key();
    const fresh = tokenOf(await keys.rotate(key.id));
    expect(await statusOf(api, key.token)).toBe(200);
    const response = await keys.revoke(key.id, { reason: 'leaked' });
    expect(response.status).toBe(204);
    expect(response.text).toBe('');
    expect(await statusOf(api, key.token)).toBe(401);
    expect(await statusOf(api, fresh)).toBe(401);
    expect(await keys.find(key.id)).toMatchObject({
      status: 'revoked',
      revoked_by: { kind: 'api_key', name: 'Production server' },
      revoked_reason: 'leaked',
      revoked_at: ctx.clock.apiTime(),
      previous_token: null,
    });
  });

  test('a second time changes nothing', async () => {
    const key = await account.key();
    await keys.revoke(key.id, { reason: 'first' });
    expect((await keys.revoke(key.id, { reason: 'second' })).status).toBe(204);
    expect(await keys.find(key.id)).toMatchObject({ revoked_reason: 'first' });
  });

  test.each(['', 'a\u202eb', `found sk_live_${'a'.repeat(38)}`, `leaked whsec_${'a'.repeat(43)}=`])(
    'is refused with the reason %j, and changes nothing',
    async (reason) => {
      const key = await account.key();
      const refused = await keys.revoke(key.id, { reason });
      expect(refused.status).toBe(422);
      expect(Object.keys(detailsOf(refused))).toEqual(['reason']);
      expect(await statusOf(api, key.token)).toBe(200);
    },
  );

  test('leaves nothing to rotate or change', async () => {
    const key = await account.key();
    await keys.revoke(key.id);
    expect((await keys.rotate(key.id)).status).toBe(422);
    expect((await keys.change(key.id, { name: 'Alive' })).status).toBe(422);
  });

  test('is refused for a key that reaches further, and to a token in its grace period', async () => {
    const strong = await account.key();
    const narrow = await account.key({ scopes: ['api-keys:manage'] });
    expect((await keys.as(narrow.token).revoke(strong.id)).status).toBe(403);
    await keys.rotate(strong.id);
    expect((await keys.as(strong.token).revoke(narrow.id)).status).toBe(403);
  });
});

describe('ending the grace period', () => {
  test('ends the older token at once and leaves the newest', async () => {
    const key = await account.key();
    const fresh = tokenOf(await keys.rotate(key.id));
    expect(await statusOf(api, key.token)).toBe(200);
    expect((await keys.endPreviousToken(key.id)).status).toBe(204);
    expect(await statusOf(api, key.token)).toBe(401);
    expect(await statusOf(api, fresh)).toBe(200);
    expect(await keys.find(key.id)).toMatchObject({ status: 'active', previous_token: null });
  });

  test('is 404 when no older token is valid', async () => {
    expect((await keys.endPreviousToken((await account.key()).id)).status).toBe(404);
  });

  test('is 404 once the key is revoked or expired', async () => {
    const [revoked, expired] = [await account.key(), await account.key()];
    for (const key of [revoked, expired]) await keys.rotate(key.id);
    await keys.revoke(revoked.id);
    await keys.change(expired.id, { expires_at: ctx.clock.apiTime(1000) });
    ctx.clock.advance(1000);
    expect((await keys.endPreviousToken(revoked.id)).status).toBe(404);
    expect((await keys.endPreviousToken(expired.id)).status).toBe(404);
  });
});
