import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { hourMs } from '#lib/durations.ts';
import { apiKeys } from '../../../../db/schema/api-keys/api-keys.ts';
import { auditEntries } from '../../../../db/schema/audit.ts';
import { useRotationRequests } from '../../../../testing/api-keys/rotation-requests.ts';
import { tokenOf, works } from '../../../../testing/api-keys/tokens.ts';
import { dataOf, detailsOf } from '../../../../testing/api.ts';

const { ctx, api, requests, owner, admin, support, viewer, key } = useRotationRequests();

describe('rotating on request', () => {
  test('refuses `dry_run`, so that it is never taken for a rotation', async () => {
    const { uuid } = await requests.make();
    const response = await requests.rotate(admin, uuid, { dry_run: true });
    expect(response.status).toBe(422);
    expect(detailsOf(response)).toEqual({ dry_run: ['This field is unknown.'] });
    expect((await requests.rotate(admin, uuid)).status).toBe(201);
  });

  test('makes the token then, shows it to the named member, and closes the request', async () => {
    const { uuid } = await requests.make();
    const response = await requests.rotate(admin, uuid, { grace_period_seconds: 0 });
    expect(response.status).toBe(201);
    const token = tokenOf(response);
    expect(dataOf(response)['message']).toContain('Save this token now');
    expect([await works(api, token), await works(api, key.token)]).toEqual([true, false]);
    expect(await requests.rowOf({ uuid })).toMatchObject({
      state: 'done',
      closedAt: ctx.clock.now(),
      closedBy: { kind: 'person', id: admin.personId },
    });
    expect([await requests.openFor(admin), await requests.openFor(support)]).toEqual([[], []]);
    expect((await requests.audited()).slice(-2)).toEqual([
      'api_key.rotated by Ida admin: Production',
      'rotation_request.done by Ida admin: Production',
    ]);
    const written = await ctx.db.select().from(auditEntries);
    expect(JSON.stringify(written)).not.toContain(token);
  });

  test('is for the named member alone: others get a 404', async () => {
    const { uuid } = await requests.make();
    const none = await requests.rotate(owner, crypto.randomUUID());
    for (const person of [owner, support]) {
      const response = await requests.rotate(person, uuid);
      expect([response.status, response.text]).toEqual([404, none.text]);
    }
    expect((await requests.rotate(viewer, uuid)).status).toBe(403);
    expect((await requests.rotate(admin, 'x')).status).toBe(404);
    expect(await requests.uuidsFor(admin)).toEqual([uuid]);
  });

  test('is refused once the role of the named member no longer covers the key', async () => {
    const { uuid } = await requests.make();
    await requests.setRole(admin, 'support');
    expect((await requests.rotate(admin, uuid)).status).toBe(403);
    expect(await works(api, key.token)).toBe(true);
  });

  test('happens once', async () => {
    const { uuid } = await requests.make();
    expect((await requests.rotate(admin, uuid)).status).toBe(201);
    expect(detailsOf(await requests.rotate(admin, uuid))).toEqual({
      rotation_request: ['The key was rotated after this request.'],
    });
  });

  test('is too late after 72 hours', async () => {
    const { uuid, expires_at } = await requests.make();
    ctx.clock.advance(72 * hourMs);
    expect(detailsOf(await requests.rotate(admin, uuid))).toEqual({
      rotation_request: [`This request expired at ${expires_at}. Ask again.`],
    });
  });

  test('with a wrong last four leaves the request open', async () => {
    const { uuid } = await requests.make();
    expect(
      detailsOf(await requests.rotate(admin, uuid, { expected_last_four: 'zzzz' })),
    ).toHaveProperty('expected_last_four');
    expect(await requests.uuidsFor(admin)).toEqual([uuid]);
  });

  test('refuses an expired key', async () => {
    const { uuid } = await requests.make();
    await ctx.db.update(apiKeys).set({ expiresAt: ctx.clock.now() }).where(eq(apiKeys.id, key.id));
    expect(detailsOf(await requests.rotate(admin, uuid))).toHaveProperty('api_key');
  });
});

describe('a request is closed by what happens to the key otherwise', () => {
  test('as done when somebody else rotates it', async () => {
    const { uuid } = await requests.make();
    const path = `/api/v1/api-keys/${key.id}/rotate`;
    expect((await owner.post(path, {})).status).toBe(201);
    expect(await requests.rowOf({ uuid })).toMatchObject({
      state: 'done',
      closedBy: { id: owner.personId },
    });
    expect((await requests.audited()).at(-1)).toBe(
      'rotation_request.done by Ida owner: Production',
    );
  });

  test('as done when the key rotates itself', async () => {
    const { uuid } = await requests.make();
    await key.post(`/api/v1/api-keys/${key.id}/rotate`);
    expect(await requests.rowOf({ uuid })).toMatchObject({
      state: 'done',
      closedBy: { id: key.uuid },
    });
  });

  test('as revoked when somebody revokes it', async () => {
    const { uuid } = await requests.make();
    const path = `/api/v1/api-keys/${key.id}`;
    expect((await owner.delete(path)).status).toBe(204);
    expect(await requests.rowOf({ uuid })).toMatchObject({
      state: 'revoked',
      closedBy: { id: owner.personId },
    });
    expect(detailsOf(await requests.rotate(admin, uuid))).toEqual({
      rotation_request: ['The key was revoked after this request.'],
    });
  });

  test('as expired if that happens after its deadline', async () => {
    const { uuid } = await requests.make();
    ctx.clock.advance(72 * hourMs);
    await owner.post(`/api/v1/api-keys/${key.id}/rotate`, {});
    expect(await requests.rowOf({ uuid })).toMatchObject({ state: 'expired', closedBy: null });
  });
});
