import { describe, expect, test } from 'vitest';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { lastFour, statusesOf, useToken } from '../../../../testing/api-keys/tokens.ts';
import { useUnconfirmedTokens, named } from '../../../../testing/api-keys/unconfirmed-tokens.ts';
import { dataOf, detailsOf } from '../../../../testing/api.ts';

const { ctx, api, tokens, account, owner, admin, support, caller } = useUnconfirmedTokens();

describe('a token is unconfirmed', () => {
  test('when a key was created in the dashboard, and says to whom and when it was shown', async () => {
    const made = await tokens.create(admin);
    expect(await tokens.newestOf(made.id)).toMatchObject({
      unconfirmed: { since: ctx.clock.apiTime(), shown_to: named(admin), undo_restores: null },
    });
  });

  test('when a key was rotated in the dashboard, on request too', async () => {
    const key = await tokens.keyInUse();
    const rotated = await tokens.rotate(admin, key.id);
    expect(await tokens.newestOf(key.id)).toMatchObject({
      last_four: lastFour(rotated),
      unconfirmed: { shown_to: named(admin), undo_restores: key.lastFour },
    });

    const unseen = await account.key();
    const asked = await tokens.request(unseen.id, 'scheduled');
    await owner.post(`/api/dashboard/rotation-requests/${asked}/rotate`);
    expect(await tokens.newestOf(unseen.id)).toMatchObject({
      unconfirmed: { shown_to: named(owner) },
    });
  });

  test('never when the API returned it', async () => {
    const body = { name: 'Made by a key', type: 'full' };
    const made = await caller.post('/api/v1/api-keys', body);
    const { id, tokens: shown } = dataOf<ApiKey>(made);
    expect(shown).toMatchObject([{ unconfirmed: null }]);
    await caller.post(`/api/v1/api-keys/${id}/rotate`);
    expect((await tokens.read(id)).tokens).toMatchObject([
      { unconfirmed: null },
      { unconfirmed: null },
    ]);
  });

  test('no longer once a call was made with it', async () => {
    const made = await tokens.create(admin);
    await useToken(api, made.token);
    expect(await tokens.newestOf(made.id)).toMatchObject({ unconfirmed: null });
  });

  test('no longer once its key was rotated again', async () => {
    const made = await tokens.create(admin);
    await tokens.rotate(admin, made.id);
    expect((await tokens.read(made.id)).tokens).toMatchObject([
      { unconfirmed: { since: ctx.clock.apiTime() } },
      { unconfirmed: null },
    ]);
  });
});

describe('confirming', () => {
  test('by the person to whom it was shown works, is audited once, and makes undoing impossible', async () => {
    const key = await tokens.keyInUse();
    const rotated = await tokens.rotate(support, key.id);
    expect((await tokens.confirm(support, key.id, rotated)).status).toBe(204);
    expect((await tokens.confirm(support, key.id, rotated)).status).toBe(204);

    expect(await tokens.newestOf(key.id)).toMatchObject({ unconfirmed: null });
    expect(await tokens.auditOf(key.uuid)).toEqual([
      ['api_key.created', expect.anything()],
      ['api_key.rotated', expect.anything()],
      ['api_key.token_confirmed', { last_four: lastFour(rotated) }],
    ]);
    expect((await tokens.undo(support, key.id, rotated)).status).toBe(422);
    expect(await statusesOf(api, [key.token, rotated])).toEqual([200, 200]);
  });

  test('is refused to anybody else, even an owner', async () => {
    const made = await tokens.create(admin);
    const response = await tokens.confirm(owner, made.id, made.token);
    expect(response.status).toBe(403);
    expect(response.text).toContain('Only the person a token was shown to can confirm having it.');
    expect(await tokens.newestOf(made.id)).toMatchObject({
      unconfirmed: { shown_to: named(admin) },
    });
  });

  test('is refused for a token that was replaced since', async () => {
    const made = await tokens.create(admin);
    await tokens.rotate(admin, made.id);
    const response = await tokens.confirm(admin, made.id, made.token);
    expect(response.status).toBe(422);
    expect(detailsOf(response)).toEqual({
      last_four: ['The key has another token now.'],
    });
  });

  test('needs the last four characters', async () => {
    const made = await tokens.create(admin);
    expect((await tokens.confirm(admin, made.id, 'abc')).status).toBe(422);
  });
});

describe('API keys cannot call', () => {
  test.each(['confirm-token', 'replace-unconfirmed-token', 'undo-rotation'])('%s', async (act) => {
    const made = await tokens.create(admin);
    const path = `/api/dashboard/api-keys/${made.id}/${act}`;
    const body = { last_four: lastFour(made.token), expected_last_four: lastFour(made.token) };
    expect((await api.call('POST', path, { body })).status).toBe(401);
    expect((await caller.post(path, body)).status).not.toBeLessThan(400);
    expect((await api.as(await account.member('viewer')).post(path, body)).status).toBe(403);
    const stranger = await (await api.account()).member('owner');
    expect((await api.as(stranger).post(path, body)).status).not.toBe(204);
    expect(await tokens.newestOf(made.id)).toMatchObject({
      unconfirmed: { shown_to: named(admin) },
    });
  });
});
