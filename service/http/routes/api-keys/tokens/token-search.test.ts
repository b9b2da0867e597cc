import { describe, expect, test } from 'vitest';
import { hourMs } from '#lib/durations.ts';
import { rotateApiKey } from '../../../../domain/api-keys/rotation/rotate-api-key.ts';
import { digestToken } from '../../../../tokens/token.ts';
import { KeyCalls } from '../../../../testing/api-keys/key-calls.ts';
import { dataOf } from '../../../../testing/api.ts';
import { useApi } from '../../../../testing/use-api.ts';

const { ctx, api, account, caller } = useApi();
const keys = new KeyCalls(caller);

describe('the digest of a token finds its key in the account, and says', () => {
  test('that it works, until when, and when it ended', async () => {
    const key = await account.key();
    expect(await find(key.token)).toMatchObject({
      state: 'live',
      valid_until: null,
      api_key: { uuid: key.uuid },
    });
    await keys.rotate(key.id, { grace_period_seconds: 3600 });
    const end = ctx.clock.apiTime(hourMs);
    expect(await find(key.token)).toMatchObject({ state: 'grace', valid_until: end });
    ctx.clock.advance(hourMs);
    const ended = { state: 'ended', valid_until: end, api_key: { uuid: key.uuid } };
    expect(await find(key.token)).toMatchObject(ended);
    await keys.revoke(key.id);
    expect(await find(key.token)).toMatchObject(ended);
  });

  test('that its key was revoked or has expired, and when', async () => {
    const end = ctx.clock.apiTime(hourMs);
    const expiring = await account.key({ expiresAt: end });
    const revoked = await account.key();
    await keys.revoke(revoked.id);
    expect(await find(revoked.token)).toMatchObject({
      state: 'revoked',
      valid_until: ctx.clock.apiTime(),
    });
    ctx.clock.advance(hourMs);
    expect(await find(expiring.token)).toMatchObject({ state: 'expired', valid_until: end });
  });

  test('that it ended, also of a token that nobody used and another took the place of', async () => {
    const key = await account.key();
    const owner = await account.member('owner');
    const repeated = { apiKey: key.uuid, idempotencyKey: 'lost-response' };
    const { token: lost } = await rotateApiKey(ctx, owner, repeated);
    await rotateApiKey(ctx, owner, repeated);
    expect(await find(lost)).toMatchObject({
      state: 'ended',
      valid_until: ctx.clock.apiTime(),
      last_four: lost.slice(-4),
      api_key: { uuid: key.uuid },
    });
  });

  test('that no key has it, whatever its last four characters are, or if it belongs to another account', async () => {
    const unknown = { state: 'unknown', api_key: null, valid_until: null, last_four: null };
    const { token } = await account.key();
    expect(await find(`sk_live_${'a'.repeat(34)}${token.slice(-4)}`)).toEqual(unknown);
    const other = await (await api.account()).key();
    expect(await find(other.token)).toEqual(unknown);
  });
});

async function find(token: string): Promise<Record<string, unknown>> {
  const response = await api
    .as(await account.member('viewer'))
    .post('/api/dashboard/api-keys/token-searches', {
      token_digest: digestToken(token).toString('hex'),
    });
  expect(response.status).toBe(200);
  return dataOf(response);
}
