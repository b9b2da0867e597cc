import { describe, expect, test } from 'vitest';
import type { ApiKey, ApiKeyToken } from '#lib/contract/api-keys/api-key.ts';
import { dayMs, hourMs } from '#lib/durations.ts';
import { undoRotation } from '../../../../domain/api-keys/rotation/undo-rotation.ts';
import { lastFour, statusesOf, tokenOf, useToken } from '../../../../testing/api-keys/tokens.ts';
import { useUnconfirmedTokens } from '../../../../testing/api-keys/unconfirmed-tokens.ts';
import { dataOf, detailsOf, refusedFields } from '../../../../testing/api.ts';
import { beforeTransactions } from '../../../../testing/databases/failing-transactions.ts';

const { ctx, api, tokens, account, owner, admin, support, caller } = useUnconfirmedTokens();

describe('undoing a rotation', () => {
  test('gives the old token exactly the end it had and ends the new one, and leaves older tokens and the key theirs', async () => {
    const key = await tokens.keyInUse({ expiresAt: ctx.clock.apiTime(72 * hourMs) });
    const second = await tokens.rotate(admin, key.id, { grace_period_seconds: 7200 });
    await useToken(api, second);
    const before = await tokens.read(key.id);
    const lost = await tokens.rotate(admin, key.id);
    ctx.clock.advance(hourMs);
    expect((await tokens.undo(owner, key.id, lost)).status).toBe(204);

    expect(withoutUse(await tokens.read(key.id))).toEqual(withoutUse(before));
    expect(await statusesOf(api, [key.token, second, lost])).toEqual([200, 200, 401]);
    expect((await tokens.auditOf(key.uuid)).at(-1)).toEqual([
      'api_key.rotation_undone',
      { last_four: lastFour(second), ended_last_four: lastFour(lost) },
    ]);
    ctx.clock.advance(hourMs);
    expect(await statusesOf(api, [key.token, second])).toEqual([401, 200]);
    ctx.clock.advance(70 * hourMs);
    expect(await statusesOf(api, [second])).toEqual([401]);
  });

  test('succeeds again without changing anything, and is named where the rotation is repeated or continued', async () => {
    const key = await tokens.keyInUse();
    const path = `/api/v1/api-keys/${key.id}/rotate`;
    const rotate = () => admin.post(path, {}, { 'Idempotency-Key': 'rotate-1' });
    const lost = tokenOf(await rotate());
    await tokens.undo(admin, key.id, lost);
    const entries = await tokens.auditOf(key.uuid);
    expect((await tokens.undo(admin, key.id, lost)).status).toBe(204);
    const viewer = await account.member('viewer');
    expect((await tokens.undo(viewer, key.id, lost)).status).toBe(403);
    expect(detailsOf(await rotate())).toEqual({
      'Idempotency-Key': [
        `The token that this request made has ended: the rotation was undone. To get another token, rotate key ${key.id} with a new Idempotency-Key.`,
      ],
    });
    expect(detailsOf(await admin.post(path, { expected_last_four: lastFour(lost) }))).toEqual({
      expected_last_four: [
        `The rotation to the token ending in ${lastFour(lost)} was undone. The newest token of this key ends in ${key.lastFour}.`,
      ],
    });
    expect(await tokens.auditOf(key.uuid)).toEqual(entries);
    expect(await statusesOf(api, [key.token, lost])).toEqual([200, 401]);

    const later = await tokens.rotate(owner, key.id);
    expect(detailsOf(await tokens.undo(admin, key.id, lost))).toEqual({
      expected_last_four: [
        `This key was already rotated at ${ctx.clock.apiTime()} by ${owner.personName}.`,
      ],
    });
    expect(await statusesOf(api, [key.token, later])).toEqual([200, 200]);
  });

  test('also undoes an earlier rotation to a token that nobody had, and is audited for the requests that these fulfilled', async () => {
    const key = await tokens.keyInUse();
    const actions = async (uuid: string) => (await tokens.auditOf(uuid)).map(([action]) => action);
    const pathOf = (request: string) => `/api/dashboard/rotation-requests/${request}/rotate`;
    const fulfill = async () => {
      const request = await tokens.request(key.id, 'scheduled');
      ctx.clock.advance(1);
      return { request, made: tokenOf(await owner.post(pathOf(request))) };
    };
    const other = await tokens.request(key.id, 'scheduled');
    await decline(other);
    const before = await fulfill();
    expect((await tokens.undo(owner, key.id, before.made)).status).toBe(204);
    const first = await fulfill();
    ctx.clock.advance(1);
    const second = await tokens.rotate(owner, key.id);
    expect(await statusesOf(api, [key.token, first.made])).toEqual([200, 401]);
    expect(await tokens.newestOf(key.id)).toMatchObject({
      unconfirmed: { undo_restores: key.lastFour },
    });
    ctx.clock.advance(1);
    expect((await tokens.undo(owner, key.id, second)).status).toBe(204);
    expect((await tokens.read(key.id)).tokens).toMatchObject([
      { last_four: key.lastFour, valid_until: null },
    ]);
    for (const { request } of [before, first]) {
      expect(await actions(request)).toEqual([
        'rotation_request.created',
        'rotation_request.done',
        'rotation_request.rotation_undone',
      ]);
      expect((await owner.post(pathOf(request))).status, 'it stays closed').toBe(422);
    }
    expect((await actions(other)).at(-1)).toBe('rotation_request.declined');
  });

  test('is emailed to the owners and admins as the rotation was: if support did it', async () => {
    const key = await tokens.keyInUse();
    const addresses = [owner, admin].map(({ email }) => email);
    const mailsOf = async (act: () => Promise<unknown>) => {
      const count = ctx.mails.length;
      await act();
      return ctx.mails.slice(count).filter(({ to }) => addresses.includes(to));
    };
    let lost = await tokens.rotate(admin, key.id);
    expect(await mailsOf(() => tokens.undo(owner, key.id, lost))).toEqual([]);
    const rotated = await mailsOf(async () => {
      lost = await tokens.rotate(support, key.id);
    });
    expect(rotated).toHaveLength(2);
    const undone = await mailsOf(() => tokens.undo(support, key.id, lost));
    expect(undone.map(({ to }) => to)).toEqual(rotated.map(({ to }) => to));
    for (const { subject, text } of undone) {
      expect(subject).toMatch(/^Support undid the rotation of the API key/);
      expect(text).toContain(`${support.personName} (${support.email}, Support)`);
      expect(text).toContain(key.lastFour);
    }
    expect(await mailsOf(() => tokens.undo(support, key.id, lost))).toEqual([]);
  });

  test('is for the person who rotated the key, an owner or an admin', async () => {
    const key = await tokens.keyInUse();
    const byAdmin = await tokens.rotate(admin, key.id);
    expect((await tokens.undo(support, key.id, byAdmin)).status).toBe(403);
    expect((await tokens.undo(owner, key.id, byAdmin)).status).toBe(204);
    const bySupport = await tokens.rotate(support, key.id);
    expect((await tokens.undo(support, key.id, bySupport)).status).toBe(204);
  });

  test.each<[what: string, happen: (id: number, lost: string) => Promise<unknown>]>([
    ['the new token was used', async (_, lost) => await useToken(api, lost)],
    ['the old token has ended', async () => ctx.clock.advance(dayMs)],
    [
      'the old token was ended',
      async (id) => await admin.delete(`/api/v1/api-keys/${id}/previous-token`),
    ],
    ['the key was revoked', async (id) => await admin.delete(`/api/v1/api-keys/${id}`)],
  ])('is refused once %s', async (_, happen) => {
    const key = await tokens.keyInUse();
    const lost = await tokens.rotate(admin, key.id);
    await happen(key.id, lost);
    expect(refusedFields(await tokens.undo(admin, key.id, lost))).toEqual(['api_key']);
  });

  test('is refused for a key that was never rotated, and for another token than the newest', async () => {
    const made = await tokens.create(admin);
    expect((await tokens.undo(admin, made.id, made.token)).status).toBe(422);
    const other = await tokens.undo(admin, made.id, 'none');
    expect(refusedFields(other)).toEqual(['expected_last_four']);
  });

  test.each([
    ['the token before the newest', () => 'previous-token'],
    ['that one token', (old: ApiKeyToken | undefined) => `tokens/${old?.id}`],
  ])('never restores a token that was ended while the undo waited: %s', async (_, pathOf) => {
    const key = await tokens.keyInUse();
    const lost = await tokens.rotate(admin, key.id);
    const [, old] = (await tokens.read(key.id)).tokens;
    const db = beforeTransactions(ctx.db, async () => {
      ctx.clock.advance(1);
      await admin.delete(`/api/v1/api-keys/${key.id}/${pathOf(old)}`);
    });
    const input = { apiKey: key.uuid, expected_last_four: lastFour(lost) };
    await expect(undoRotation({ ...ctx, db }, admin, input)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    expect(await statusesOf(api, [key.token, lost])).toEqual([401, 200]);
  });

  test('is refused after a leak, and while one is reported that came after the rotation', async () => {
    const leaked = await tokens.keyInUse();
    await tokens.request(leaked.id, 'leaked');
    const replaced = await tokens.rotate(admin, leaked.id);
    expect(await restoredByUndo(leaked.id)).toEqual([null, null, null]);
    expect((await tokens.undo(admin, leaked.id, replaced)).status).toBe(422);

    const key = await tokens.keyInUse();
    const lost = await tokens.rotate(admin, key.id);
    const request = await tokens.request(key.id, 'leaked');
    expect(await restoredByUndo(key.id)).toEqual([null, null, null]);
    expect(detailsOf(await tokens.undo(admin, key.id, lost))).toEqual({
      api_key: [
        'Someone reported that a token of this key may have leaked, so its rotation cannot be undone. Revoke or rotate the key, or decline the request first.',
      ],
    });
    await decline(request);
    expect(await restoredByUndo(key.id)).toEqual([key.lastFour, key.lastFour, key.lastFour]);
    expect((await tokens.undo(admin, key.id, lost)).status).toBe(204);
    expect(await statusesOf(api, [key.token, lost])).toEqual([200, 401]);
  });
});

/** The owner, who is asked to rotate the key, declines. */
async function decline(request: string): Promise<void> {
  const path = `/api/dashboard/rotation-requests/${request}/decline`;
  expect((await owner.post(path, { reason: 'later' })).status).toBe(204);
}

/**
 * The token to which a rotation can be undone, according to the key, the list and a change of its
 * name.
 */
async function restoredByUndo(id: number): Promise<unknown[]> {
  const keys = dataOf<ApiKey[]>(await caller.get('/api/v1/api-keys'));
  const renamed = await owner.patch(`/api/v1/api-keys/${id}`, { name: crypto.randomUUID() });
  return [await tokens.read(id), keys.find((key) => key.id === id), dataOf<ApiKey>(renamed)].map(
    (key) => key?.tokens[0]?.unconfirmed?.undo_restores,
  );
}

const neverUsed = { last_used_at: null, last_used_ip: null, last_used_user_agent: null };

/** A key without the fields that calls change. */
function withoutUse({ last_used_at: _at, last_used_ip: _ip, tokens: valid, ...key }: ApiKey) {
  return { ...key, tokens: valid.map((each) => ({ ...each, ...neverUsed })) };
}
