import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { members } from '../../../db/schema/people/members.ts';
import { confirmMember } from './confirm-member.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, api } = useApi();

test('a member keeps the rights of the role they have when the writing begins', async () => {
  const account = await api.account();
  const actor = await account.member('admin');
  const confirm = () => ctx.db.transaction((tx) => confirmMember(tx, actor, 'api-keys.create'));
  expect(await confirm()).toMatchObject({ role: 'admin' });

  const row = and(eq(members.accountId, account.id), eq(members.personId, actor.personId));
  await ctx.db.update(members).set({ role: 'support' }).where(row);
  await expect(confirm()).rejects.toMatchObject({ code: 'FORBIDDEN' });

  await ctx.db.delete(members).where(row);
  await expect(confirm()).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('a membership in one account says nothing about another', async () => {
  const [mine, theirs] = [await api.account(), await api.account()];
  const actor = { ...(await mine.member('owner')), accountId: theirs.id };
  await expect(
    ctx.db.transaction((tx) => confirmMember(tx, actor, 'api-keys.read')),
  ).rejects.toMatchObject({ code: 'FORBIDDEN' });
});
