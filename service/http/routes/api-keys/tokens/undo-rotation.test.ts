import { describe, expect, test } from 'vitest';
import type { ApiKey, ApiKeyToken } from '#lib/contract/api-keys/api-key.ts';
import { dayMs, hourMs } from '#lib/durations.ts';
import type { Db } from '../../../../db/open.ts';
import { undoRotation } from '../../../../domain/api-keys/rotation/undo-rotation.ts';
import { lastFour, statusesOf, tokenOf, useToken } from '../../../../testing/api-keys/tokens.ts';
import { useUnconfirmedTokens } from '../../../../testing/api-keys/unconfirmed-tokens.ts';
import { dataOf, detailsOf } from '../../../../testing/api.ts';

const { ctx, api, tokens, account, owner, admin, support, caller } = useUnconfirmedTokens();

describe('undoing a rotation', () => {
  test('gives the old token exactly the end it had, and ends the new one', async () => {
    const key = await tokens.keyInUse();
    const before = await tokens.read(key.id);
    const lost = await tokens.rotate(admin, key.id);
    ctx.clock.advance(hourMs);
    expect((await tokens.undo(admin, key.id, lost)).status).toBe(204);

    expect(await statusesOf(api, [key.token, lost])).toEqual([200, 401]);
    const after = await tokens.read(key.id);
    expect(withoutUse(after)).toEqual(withoutUse(before));
    ctx.clock.advance(30 * dayMs);
    expect(await statusesOf(api, [key.token])).toEqual([200]);
  });

  test('leaves older tokens their deadlines, and the key its expiry', async () => {
    const key = await tokens.keyInUse({ expiresAt: ctx.clock.apiTime(72 * hourMs) });
    const second = await tokens.rotate(admin, key.id, { grace_period_seconds: 7200 });
    await useToken(api, second);
    const before = await tokens.read(key.id);
    const lost = await tokens.rotate(admin, key.id);
    expect((await tokens.undo(owner, key.id, lost)).status).toBe(204);
    expect(withoutUse(await tokens.read(key.id))).toEqual(withoutUse(before));
    ctx.clock.advance(72 * hourMs);
    expect(await statusesOf(api, [second])).toEqual([401]);
  });

  test('is audited with both tokens', async () => {
    const key = await tokens.keyInUse();
    const lost = await tokens.rotate(admin, key.id);
    await tokens.undo(admin, key.id, lost);
    expect((await tokens.auditOf(key.uuid)).at(-1)).toEqual([
      'api_key.rotation_undone',
      { last_four: key.lastFour, ended_last_four: lastFour(lost) },
    ]);
  });

  test('is named in the refusal to repeat the rotation', async () => {
    const key = await tokens.keyInUse();
    const path = `/api/v1/api-keys/${key.id}/rotate`;
    const rotate = () => admin.post(path, {}, { 'Idempotency-Key': 'rotate-1' });
    const lost = tokenOf(await rotate());
    await tokens.undo(admin, key.id, lost);
    expect(detailsOf(await rotate())).toEqual({
      'Idempotency-Key': [
        `The token that this request made has ended: the rotation was undone. To get another token, rotate key ${key.id} with a new Idempotency-Key.`,
      ],
    });
    expect(await statusesOf(api, [key.token, lost])).toEqual([200, 401]);
  });

  test('is audited for the request that the rotation fulfilled, which stays closed', async () => {
    const key = await tokens.keyInUse();
    const other = await tokens.request(key.id, 'scheduled');
    await decline(other);
    const request = await tokens.request(key.id, 'scheduled');
    const path = `/api/dashboard/rotation-requests/${request}/rotate`;
    const response = await owner.post(path);
    expect((await tokens.undo(owner, key.id, tokenOf(response))).status).toBe(204);
    const actions = async (uuid: string) => (await tokens.auditOf(uuid)).map(([action]) => action);
    expect(await actions(request)).toEqual([
      'rotation_request.created',
      'rotation_request.done',
      'rotation_request.rotation_undone',
    ]);
    expect((await actions(other)).at(-1)).toBe('rotation_request.declined');
    expect((await owner.post(path)).status).toBe(422);
  });

  test('is audited for the request of an earlier rotation that it undoes too, and for no other', async () => {
    const key = await tokens.keyInUse();
    const actions = async (uuid: string) => (await tokens.auditOf(uuid)).map(([action]) => action);
    const fulfill = async () => {
      const request = await tokens.request(key.id, 'scheduled');
      ctx.clock.advance(1);
      const path = `/api/dashboard/rotation-requests/${request}/rotate`;
      return { request, made: tokenOf(await owner.post(path)) };
    };
    const before = await fulfill();
    await tokens.undo(owner, key.id, before.made);
    const first = await fulfill();
    ctx.clock.advance(1);
    const second = await tokens.rotate(owner, key.id);
    expect(await statusesOf(api, [key.token, first.made])).toEqual([200, 401]);
    ctx.clock.advance(1);
    expect((await tokens.undo(owner, key.id, second)).status).toBe(204);
    for (const { request } of [before, first]) {
      expect(await actions(request)).toEqual([
        'rotation_request.created',
        'rotation_request.done',
        'rotation_request.rotation_undone',
      ]);
    }
  });

  test('by support is emailed to the owners and admins, as the rotation was', async () => {
    const key = await tokens.keyInUse();
    const lost = await tokens.rotate(support, key.id);
    const rotated = mailsAfter(0);
    const before = ctx.mails.length;
    expect((await tokens.undo(support, key.id, lost)).status).toBe(204);
    const undone = mailsAfter(before);
    expect(undone.map(({ to }) => to)).toEqual(rotated.map(({ to }) => to));
    for (const { subject, text } of undone) {
      expect(subject).toMatch(/^Support undid the rotation of the API key/);
      expect(text).toContain(`${support.personName} (${support.email}, Support)`);
      expect(text).toContain(key.lastFour);
    }
    await tokens.undo(support, key.id, lost);
    expect(mailsAfter(before)).toEqual(undone);
  });

  test('by an owner or an admin is not emailed, as their rotations are not', async () => {
    const key = await tokens.keyInUse();
    const lost = await tokens.rotate(admin, key.id);
    await tokens.undo(owner, key.id, lost);
    expect(mailsAfter(0)).toEqual([]);
  });

  test('succeeds again without changing anything', async () => {
    const key = await tokens.keyInUse();
    const lost = await tokens.rotate(admin, key.id);
    await tokens.undo(admin, key.id, lost);
    const entries = await tokens.auditOf(key.uuid);
    expect((await tokens.undo(admin, key.id, lost)).status).toBe(204);
    expect(await tokens.auditOf(key.uuid)).toEqual(entries);
    expect(await statusesOf(api, [key.token, lost])).toEqual([200, 401]);
    const viewer = await account.member('viewer');
    expect((await tokens.undo(viewer, key.id, lost)).status).toBe(403);
  });

  test('is refused after a later rotation of the key', async () => {
    const key = await tokens.keyInUse();
    const lost = await tokens.rotate(admin, key.id);
    await tokens.undo(admin, key.id, lost);
    const later = await tokens.rotate(owner, key.id);
    expect(detailsOf(await tokens.undo(admin, key.id, lost))).toEqual({
      expected_last_four: [
        `This key was already rotated at ${ctx.clock.apiTime()} by ${owner.personName}.`,
      ],
    });
    expect(await statusesOf(api, [key.token, later])).toEqual([200, 200]);
  });

  test('is named in the refusal to rotate the undone token', async () => {
    const key = await tokens.keyInUse();
    const lost = await tokens.rotate(admin, key.id);
    await tokens.undo(admin, key.id, lost);
    const body = { expected_last_four: lastFour(lost) };
    const response = await admin.post(`/api/v1/api-keys/${key.id}/rotate`, body);
    expect(detailsOf(response)).toEqual({
      expected_last_four: [
        `The rotation to the token ending in ${lastFour(lost)} was undone. The newest token of this key ends in ${key.lastFour}.`,
      ],
    });
  });

  test('undoes two rotations if the second replaced a token that nobody had', async () => {
    const key = await tokens.keyInUse();
    await tokens.rotate(admin, key.id);
    const lost = await tokens.rotate(admin, key.id);
    expect(await tokens.newestOf(key.id)).toMatchObject({
      unconfirmed: { undo_restores: key.lastFour },
    });
    expect((await tokens.undo(admin, key.id, lost)).status).toBe(204);
    expect((await tokens.read(key.id)).tokens).toMatchObject([
      { last_four: key.lastFour, valid_until: null },
    ]);
  });

  test('is for whoever rotated the key, an owner or an admin', async () => {
    const key = await tokens.keyInUse();
    const byAdmin = await tokens.rotate(admin, key.id);
    expect((await tokens.undo(support, key.id, byAdmin)).status).toBe(403);
    expect((await tokens.undo(owner, key.id, byAdmin)).status).toBe(204);
    const bySupport = await tokens.rotate(support, key.id);
    expect((await tokens.undo(support, key.id, bySupport)).status).toBe(204);
  });

  test.each([
    ['the new token was used', async (_: number, lost: string) => await useToken(api, lost)],
    ['the old token has ended', async () => ctx.clock.advance(dayMs)],
    [
      'the old token was ended',
      async (id: number) => await admin.delete(`/api/v1/api-keys/${id}/previous-token`),
    ],
    ['the key was revoked', async (id: number) => await admin.delete(`/api/v1/api-keys/${id}`)],
  ])('is refused once %s', async (_, happen) => {
    const key = await tokens.keyInUse();
    const lost = await tokens.rotate(admin, key.id);
    await happen(key.id, lost);
    const response = await tokens.undo(admin, key.id, lost);
    expect(response.status).toBe(422);
    expect(detailsOf(response)).toHaveProperty('api_key');
  });

  test.each([
    ['the token before the newest', () => 'previous-token'],
    ['that one token', (old: ApiKeyToken | undefined) => `tokens/${old?.id}`],
  ])('never restores a token that was ended while the undo waited: %s', async (_, pathOf) => {
    const key = await tokens.keyInUse();
    const lost = await tokens.rotate(admin, key.id);
    const [, old] = (await tokens.read(key.id)).tokens;
    const { promise: ended, resolve: letGo } = Promise.withResolvers<void>();
    const undoing = undoRotation({ ...ctx, db: waiting(ctx.db, ended) }, admin, {
      apiKey: key.uuid,
      expected_last_four: lastFour(lost),
    });
    ctx.clock.advance(1);
    await admin.delete(`/api/v1/api-keys/${key.id}/${pathOf(old)}`);
    letGo();
    await expect(undoing).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await statusesOf(api, [key.token, lost])).toEqual([401, 200]);
  });

  test('is refused after a leak, whoever rotated the key', async () => {
    const key = await tokens.keyInUse();
    await tokens.request(key.id, 'leaked');
    const lost = await tokens.rotate(admin, key.id);
    expect(await tokens.newestOf(key.id)).toMatchObject({ unconfirmed: { undo_restores: null } });
    expect((await tokens.undo(admin, key.id, lost)).status).toBe(422);
  });

  test('is refused while a leak is reported that came after the rotation', async () => {
    const key = await tokens.keyInUse();
    const lost = await tokens.rotate(admin, key.id);
    const request = await tokens.request(key.id, 'leaked');
    expect(await restoredByUndo(key.id)).toEqual([null, null, null]);
    const response = await tokens.undo(admin, key.id, lost);
    expect(response.status).toBe(422);
    expect(detailsOf(response)).toHaveProperty('api_key', [
      'Somebody reported that a token of this key may have leaked, so its rotation cannot be undone. Revoke or rotate the key, or decline the request first.',
    ]);

    await decline(request);
    expect(await restoredByUndo(key.id)).toEqual([key.lastFour, key.lastFour, key.lastFour]);
    expect((await tokens.undo(admin, key.id, lost)).status).toBe(204);
    expect(await statusesOf(api, [key.token, lost])).toEqual([200, 401]);
  });

  test('is refused for a key that was never rotated, and for another token than the newest', async () => {
    const made = await tokens.create(admin);
    expect((await tokens.undo(admin, made.id, made.token)).status).toBe(422);
    const response = await tokens.undo(admin, made.id, 'none');
    expect(detailsOf(response)).toHaveProperty('expected_last_four');
  });
});

/** The emails to the owner and the admin after so many emails. */
function mailsAfter(count: number) {
  const addresses = [owner, admin].map(({ email }) => email);
  return ctx.mails.slice(count).filter(({ to }) => addresses.includes(to));
}

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
  const list = await caller.get('/api/v1/api-keys');
  const keys = dataOf<ApiKey[]>(list);
  const renamed = await owner.patch(`/api/v1/api-keys/${id}`, { name: 'Renamed' });
  return [await tokens.read(id), keys.find((key) => key.id === id), dataOf<ApiKey>(renamed)].map(
    (key) => key?.tokens[0]?.unconfirmed?.undo_restores,
  );
}

const neverUsed = { last_used_at: null, last_used_ip: null, last_used_user_agent: null };

/** A key without the fields that calls change. */
function withoutUse({ last_used_at: _at, last_used_ip: _ip, tokens: valid, ...key }: ApiKey) {
  return { ...key, tokens: valid.map((each) => ({ ...each, ...neverUsed })) };
}

/** The database, whose transactions begin only after `until`. */
function waiting(db: Db, until: Promise<void>): Db {
  return new Proxy(db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name !== 'transaction' || typeof value !== 'function') return value;
      return async (...given: unknown[]): Promise<unknown> => {
        await until;
        return Reflect.apply(value, target, given) as unknown;
      };
    },
  });
}
