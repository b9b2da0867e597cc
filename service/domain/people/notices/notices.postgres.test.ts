import { isNotNull } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { notices } from '../../../db/schema/people/notices.ts';
import { addAccount, addMember, addPerson } from '../../../testing/records/people.ts';
import { useContext } from '../../../testing/use-api.ts';
import type { AccountId } from '../../account-id.ts';
import { createNotices, sendDueNotices, sendNotices, type Notice } from './notices.ts';

const ctx = useContext({ engine: 'postgresql' });
let accountId: AccountId;
beforeAll(async () => {
  accountId = await addAccount(ctx);
  for (const role of ['owner', 'admin', 'admin'] as const) {
    await addMember(ctx, { accountId, personId: (await addPerson(ctx)).id, role });
  }
});

async function decide(occasion: string): Promise<Notice[]> {
  return await ctx.db.transaction(
    async (tx) =>
      await createNotices(tx, {
        accountId,
        to: { act: 'webhooks.update' },
        subjectId: 'webhook 7',
        occasion,
        now: ctx.clock.now(),
        mail: () => ({
          kind: 'webhook.failing',
          subject: 'The webhook "Orders" is failing',
          paragraphs: ['Look at it.'],
          action: { label: 'Open the webhook', url: 'http://localhost:3000/settings/webhooks/7' },
        }),
      }),
  );
}

const told = () => ctx.mails.map(({ to }) => to).toSorted();

test('each member gets one email, however many processes decide at the same time', async () => {
  const decided = await Promise.all(Array.from({ length: 12 }, () => decide('first')));
  for (const created of decided) sendNotices(ctx, created);
  expect(new Set(told()).size).toBe(3);
  expect(told()).toHaveLength(3);
  // An email that is not recorded as sent yet would be due in the next test.
  await expect
    .poll(() => ctx.db.$count(notices, isNotNull(notices.nextAttemptAt)), { timeout: 20_000 })
    .toBe(0);
});

test('an email that one process left behind is sent once, however many processes look at the same time', async () => {
  await decide('second');
  ctx.clock.advance(600_000);
  const before = ctx.mails.length;
  await Promise.all(Array.from({ length: 12 }, () => sendDueNotices(ctx)));
  expect(ctx.mails.slice(before)).toHaveLength(3);
  expect(new Set(told()).size).toBe(3);
});
