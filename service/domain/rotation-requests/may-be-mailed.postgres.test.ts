import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { notices } from '../../db/schema/people/notices.ts';
import type { PersonActor } from '../actor.ts';
import { dataOf } from '../../testing/api.ts';
import { countLockWaits } from '../../testing/databases/count-lock-waits.ts';
import { useApi } from '../../testing/use-api.ts';
import { mailOutcomes } from './outcomes/mail-outcomes.ts';

const { ctx, api } = useApi({ engine: 'postgresql' });

test('a person gets three emails a day about one key, also if a request and an outcome come at the same time', async () => {
  const account = await api.account();
  const [owner, admin] = [await account.member('owner'), await account.member('admin')];
  const support = await account.member('support');
  const key = await account.key();
  const ask = async (by: PersonActor, member: PersonActor) =>
    await api.as(by).post(`/api/dashboard/api-keys/${key.id}/rotation-requests`, {
      member: member.personId,
      reason: 'lost',
    });
  const emailsToAdmin = async () =>
    await ctx.db.$count(notices, eq(notices.personId, admin.personId));

  // The first email says that the admin is asked, and the second that they no longer are.
  const first = dataOf<{ uuid: string }>(await ask(support, admin)).uuid;
  await api.as(support).delete(`/api/dashboard/rotation-requests/${first}`);
  await mailOutcomes(ctx);
  expect(await emailsToAdmin()).toBe(2);

  const own = dataOf<{ uuid: string }>(await ask(admin, owner)).uuid;
  const decline = `/api/dashboard/rotation-requests/${own}/decline`;
  expect((await api.as(owner).post(decline, { reason: 'later' })).status).toBe(204);
  const { both } = await ctx.db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${notices} in exclusive mode`);
    const begun = Promise.all([mailOutcomes(ctx), ask(support, admin)]);
    await expect.poll(() => countLockWaits(ctx)).toBe(2);
    return { both: begun };
  });
  const [, asked] = await both;
  expect(asked.status).toBe(201);
  expect(await emailsToAdmin()).toBe(3);
});
