import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { hourMs } from '#lib/durations.ts';
import { apiKeys } from '../../../../db/schema/api-keys/api-keys.ts';
import { auditEntries } from '../../../../db/schema/audit.ts';
import { useRotationRequests } from '../../../../testing/api-keys/rotation-requests.ts';
import { tokenOf, works } from '../../../../testing/api-keys/tokens.ts';
import { dataOf, detailsOf, refusedFields } from '../../../../testing/api.ts';

const { ctx, api, requests, owner, admin, support, key } = useRotationRequests();

describe('rotating on request', () => {
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
    expect(JSON.stringify(await ctx.db.select().from(auditEntries))).not.toContain(token);
  });

  // A dry run is never taken for a rotation.
  test.each<[body: object, field: string]>([
    [{ dry_run: true }, 'dry_run'],
    [{ expected_last_four: 'zzzz' }, 'expected_last_four'],
  ])('with %j is refused, and leaves the request open', async (body, field) => {
    const { uuid } = await requests.make();
    expect(refusedFields(await requests.rotate(admin, uuid, body))).toEqual([field]);
    expect(await requests.uuidsFor(admin)).toEqual([uuid]);
  });

  test('is refused once the role of the named member no longer covers the key, or it expired', async () => {
    const { uuid } = await requests.make();
    await requests.setRole(admin, 'support');
    expect((await requests.rotate(admin, uuid)).status).toBe(403);
    expect(await works(api, key.token)).toBe(true);
    await requests.setRole(admin, 'admin');
    await ctx.db.update(apiKeys).set({ expiresAt: ctx.clock.now() }).where(eq(apiKeys.id, key.id));
    expect(refusedFields(await requests.rotate(admin, uuid))).toEqual(['api_key']);
  });
});

describe('closing a request', () => {
  test.each([
    ['its requester withdraws it', support, 'withdrawn', 'withdraw'],
    ['the named member declines it', admin, 'declined', 'decline'],
  ] as const)(
    '%s, which is audited once, and again changes nothing',
    async (_what, person, state, close) => {
      const { uuid } = await requests.make();
      expect((await requests[close](person, uuid)).status).toBe(204);
      expect(await requests.rowOf({ uuid })).toMatchObject({
        state,
        closedBy: { id: person.personId },
      });
      const entries = await requests.audited();
      expect(entries.at(-1)).toBe(`rotation_request.${state} by ${person.personName}: Production`);
      expect((await requests[close](person, uuid)).status).toBe(204);
      expect(await requests.audited()).toEqual(entries);
      expect([await requests.openFor(admin), await requests.openFor(support)]).toEqual([[], []]);
      expect(detailsOf(await requests.rotate(admin, uuid))).toEqual({
        rotation_request: [`This request was ${state}.`],
      });
      expect(await works(api, key.token)).toBe(true);
      expect((await requests.ask()).status).toBe(201);
    },
  );

  test('is for nobody else, and neither is rotating on it: others get a 404', async () => {
    const { uuid } = await requests.make();
    for (const [act, others] of [
      ['withdraw', [owner, admin]],
      ['decline', [owner, support]],
      ['rotate', [owner, support]],
    ] as const) {
      const none = await requests[act](owner, crypto.randomUUID());
      for (const person of others) {
        const response = await requests[act](person, uuid);
        expect([response.status, response.text]).toEqual([404, none.text]);
      }
    }
    expect(await requests.uuidsFor(admin)).toEqual([uuid]);
  });
});

describe('a request is closed by what happens to the key otherwise:', () => {
  const path = () => `/api/v1/api-keys/${key.id}`;
  const later = async () => ctx.clock.advance(72 * hourMs);

  test.each<[what: string, act: () => Promise<unknown>, state: string, by: () => string | null]>([
    ['done', async () => await owner.post(`${path()}/rotate`), 'done', () => owner.personId],
    ['done by itself', async () => await key.post(`${path()}/rotate`), 'done', () => key.uuid],
    ['revoked', async () => await owner.delete(path()), 'revoked', () => owner.personId],
    [
      'expired if it is rotated after the deadline',
      async () => {
        await later();
        await owner.post(`${path()}/rotate`);
      },
      'expired',
      () => null,
    ],
  ])('as %s', async (_what, act, state, by) => {
    const { uuid, expires_at: end } = await requests.make();
    await act();
    const { closedBy, ...row } = await requests.rowOf({ uuid });
    expect([row.state, closedBy?.id ?? null]).toEqual([state, by()]);
    const reason = {
      done: 'The key was rotated after this request.',
      revoked: 'The key was revoked after this request.',
      expired: `This request expired at ${end}. Ask again.`,
    }[state];
    expect(detailsOf(await requests.rotate(admin, uuid))).toEqual({ rotation_request: [reason] });
    expect(refusedFields(await requests.withdraw(support, uuid))).toEqual(['rotation_request']);
    expect(refusedFields(await requests.decline(admin, uuid))).toEqual(['rotation_request']);
  });
});
