import { and, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { accounts } from '../../../../../db/schema/people/accounts.ts';
import { members } from '../../../../../db/schema/people/members.ts';
import {
  addSupportAsOperator,
  removeSupportAsOperator,
} from '../../../../../domain/people/installation-support/support-as-operator.ts';
import { itemsOf } from '../../../../../testing/api.ts';
import { useSupport, requestRotation, visit } from '../../../../../testing/http/support-world.ts';
import { addAccount, addMember } from '../../../../../testing/records/people.ts';
import type { Call } from '../../../../../testing/http/support-world.ts';

const { ctx, world, account, owner, supporter } = useSupport();

describe('an operator', () => {
  test('adds an existing person or a new one, whose password is shown once', async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    const added = await addSupportAsOperator(ctx, email);
    expect(added).toEqual({
      kind: 'added',
      access: { kind: 'new', password: expect.any(String) as unknown },
    });
    expect(await addSupportAsOperator(ctx, email)).toEqual({ kind: 'unchanged' });

    const admin = await world.signedIn('Ida', { accountId: account.id, role: 'admin' });
    expect(await addSupportAsOperator(ctx, admin.email)).toEqual({
      kind: 'added',
      access: { kind: 'kept' },
    });
    expect(await world.auditOf('person.installation_support_added')).toMatchObject([
      { actor: { name: 'Operator' }, target: { id: admin.id }, changes: { email: admin.email } },
    ]);
    const elsewhere = await addAccount(ctx);
    expect((await world.call(admin, visit(), { page: elsewhere })).status).toBe(201);
  });

  test('removes someone from their next request on in every process, and they can no longer sign in', async () => {
    const key = await account.key();
    await world.call(supporter, visit());
    await world.call(supporter, requestRotation(key, owner));
    expect(await removeSupportAsOperator(world.other, supporter.email)).toEqual({
      kind: 'removed',
      isMember: false,
      endedSessions: 1,
    });
    expect(await world.statuses(supporter)).toEqual([401, 401]);
    expect((await world.tryToSignIn(supporter.email)).status).toBe(422);
    expect(await removeSupportAsOperator(ctx, supporter.email)).toEqual({ kind: 'no_supporter' });
    expect(itemsOf(await world.call(owner, ['GET', '/api/dashboard/rotation-requests']))).toEqual(
      [],
    );
    expect(await world.auditOf('person.installation_support_removed')).toMatchObject([
      { actor: { name: 'Operator' }, target: { id: supporter.id, name: supporter.name } },
    ]);
  });

  test('signs out a removed person who can open no account, for example because it is being deleted', async () => {
    const deleted = await addAccount(ctx);
    await addMember(ctx, { accountId: deleted, personId: supporter.id, role: 'admin' });
    await ctx.db
      .update(accounts)
      .set({ deletedAt: ctx.clock.now() })
      .where(eq(accounts.id, deleted));
    expect(await removeSupportAsOperator(ctx, supporter.email)).toMatchObject({
      isMember: false,
      endedSessions: 1,
    });
  });

  test('leaves a removed person in the accounts they belong to, with their rotation requests there', async () => {
    const own = await world.api.account();
    const key = await own.key();
    const colleague = { id: (await own.member('owner')).personId };
    await addMember(ctx, { accountId: own.id, personId: supporter.id, role: 'admin' });
    await world.call(supporter, requestRotation(key, colleague), { page: own.id });
    await world.call(supporter, visit());
    expect(await removeSupportAsOperator(ctx, supporter.email)).toMatchObject({ isMember: true });
    expect(await world.statuses(supporter)).toEqual([404, 404]);
    const requests: Call = ['GET', '/api/dashboard/rotation-requests'];
    expect(itemsOf(await world.call(supporter, requests, { page: own.id }))).toHaveLength(1);
    expect(await world.auditOf('person.installation_support_removed', own.id)).toHaveLength(1);
    await addSupportAsOperator(ctx, supporter.email);
    expect(await world.statuses(supporter), 'the reason given before counts no more').toEqual([
      403, 403,
    ]);
  });
});

test('who is removed from their last account is signed out, and can sign in as installation support', async () => {
  await addMember(ctx, { accountId: account.id, personId: supporter.id, role: 'admin' });
  const path = `/api/dashboard/members/${supporter.id}`;
  expect((await world.call(owner, ['DELETE', path])).status).toBe(204);
  expect(
    await ctx.db.$count(
      members,
      and(eq(members.accountId, account.id), eq(members.personId, supporter.id)),
    ),
  ).toBe(0);
  const again = { ...supporter, session: await world.signIn(supporter.email) };
  expect(await world.statuses(again)).toEqual([403, 403]);
  expect((await world.call(again, visit())).status).toBe(201);
});
