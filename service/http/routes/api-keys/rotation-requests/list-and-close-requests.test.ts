import { describe, expect, test } from 'vitest';
import { hourMs } from '#lib/durations.ts';
import { useRotationRequests } from '../../../../testing/api-keys/rotation-requests.ts';
import { works } from '../../../../testing/api-keys/tokens.ts';
import { detailsOf } from '../../../../testing/api.ts';
import { addMember, addPerson } from '../../../../testing/records/people.ts';

const { ctx, api, requests, account, owner, admin, support, viewer, key } = useRotationRequests();

describe('the list', () => {
  test('has the requests that one made or is named in, newest first, and no others', async () => {
    const other = await account.key();
    const made = await requests.make();
    ctx.clock.advance(1);
    const named = await requests.make({ by: owner, apiKey: other.id });
    expect(await requests.openFor(admin)).toEqual([named, made]);
    expect(await requests.uuidsFor(support)).toEqual([made.uuid]);
    expect(await requests.uuidsFor(owner)).toEqual([named.uuid]);
    expect(await requests.uuidsFor(viewer)).toEqual([]);
    expect(await requests.openFor(await (await api.account()).member('owner'))).toEqual([]);
  });

  test('leaves out what can no longer be done', async () => {
    const soon = ctx.clock.apiTime(hourMs);
    const dying = await account.key({ expiresAt: soon });
    await requests.make({ apiKey: dying.id });
    const made = await requests.make();
    ctx.clock.advance(hourMs);
    expect(await requests.uuidsFor(support)).toEqual([made.uuid]);
    await requests.setRole(admin, 'support');
    expect(await requests.uuidsFor(support)).toEqual([]);
    await requests.setRole(admin, 'admin');
    ctx.clock.advance(71 * hourMs - 1);
    expect(await requests.uuidsFor(admin)).toEqual([made.uuid]);
    ctx.clock.advance(1);
    expect(await requests.uuidsFor(admin)).toEqual([]);
  });

  test('keeps a request if the person who made it left, because its reason still applies', async () => {
    const { uuid } = await requests.make();
    await requests.removeMember(support);
    expect(await requests.uuidsFor(admin)).toEqual([uuid]);
    expect((await requests.rotate(admin, uuid)).status).toBe(201);
  });
});

describe('closing a request', () => {
  test.each([
    ['whoever made it withdraws it', 'support', 'withdrawn', 'withdraw'],
    ['the named member declines it', 'admin', 'declined', 'decline'],
  ] as const)(
    '%s, which is audited once, and again changes nothing',
    async (_what, role, state, close) => {
      const { uuid } = await requests.make();
      const person = role === 'support' ? support : admin;
      expect((await requests[close](person, uuid)).status).toBe(204);
      expect(await requests.rowOf({ uuid })).toMatchObject({
        state,
        closedBy: { id: person.personId },
      });
      const entries = await requests.audited();
      expect(entries.at(-1)).toBe(`rotation_request.${state} by Ida ${role}: Production`);
      expect((await requests[close](person, uuid)).status).toBe(204);
      expect(await requests.audited()).toEqual(entries);
      expect([await requests.openFor(admin), await requests.openFor(support)]).toEqual([[], []]);
      expect(detailsOf(await requests.rotate(admin, uuid))).toEqual({
        rotation_request: [`This request was ${state}.`],
      });
      expect(await works(api, key.token)).toBe(true);
    },
  );

  test('is for nobody else', async () => {
    const { uuid } = await requests.make();
    for (const [close, others] of [
      ['withdraw', [owner, admin]],
      ['decline', [owner, support]],
    ] as const) {
      const none = await requests[close](owner, crypto.randomUUID());
      for (const person of others) {
        const response = await requests[close](person, uuid);
        expect([response.status, response.text]).toEqual([404, none.text]);
      }
    }
    expect(await requests.uuidsFor(admin)).toEqual([uuid]);
  });

  test('is refused once it ended in another way', async () => {
    const { uuid } = await requests.make();
    await requests.rotate(admin, uuid);
    expect(detailsOf(await requests.withdraw(support, uuid))).toHaveProperty('rotation_request');
    expect(detailsOf(await requests.decline(admin, uuid))).toHaveProperty('rotation_request');
  });

  test('allows another request', async () => {
    await requests.withdraw(support, (await requests.make()).uuid);
    expect((await requests.ask()).status).toBe(201);
  });
});

test('a member of two accounts sees only the requests of the account they work in', async () => {
  const { uuid } = await requests.make();
  const elsewhere = await api.account();
  const both = await addPerson(ctx, { name: 'Both' });
  await addMember(ctx, { accountId: elsewhere.id, personId: both.id, role: 'owner' });
  ctx.clock.advance(1);
  await addMember(ctx, { accountId: account.id, personId: both.id, role: 'admin' });
  const person = { personId: both.id, personName: 'Both', email: both.email };
  await requests.withdraw(support, uuid);
  const mine = await requests.make({ member: both.id });
  expect(await requests.openFor(person)).toEqual([]);
  expect((await requests.rotate(person, mine.uuid)).status).toBe(404);
});
