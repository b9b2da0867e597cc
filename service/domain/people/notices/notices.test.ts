import { beforeEach, describe, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import type { MailPreference } from '#lib/contract/people/mail-preference-table.ts';
import type { Role } from '#lib/contract/rights/roles.ts';
import { dayMs, minuteMs } from '#lib/durations.ts';
import { accounts } from '../../../db/schema/people/accounts.ts';
import { members } from '../../../db/schema/people/members.ts';
import { notices } from '../../../db/schema/people/notices.ts';
import { people } from '../../../db/schema/people/people.ts';
import type { MailContent } from '../../../mail/mail.ts';
import { TestApi } from '../../../testing/api.ts';
import { RecordingMailer } from '../../../testing/recording-mailer.ts';
import { addAccount, addMember, addPerson } from '../../../testing/records/people.ts';
import { useContext } from '../../../testing/use-api.ts';
import type { AccountId } from '../../account-id.ts';
import type { PersonActor } from '../../actor.ts';
import { deleteAccount, restoreAccount } from '../accounts/delete-account.ts';
import { createNotices, deleteOldNotices, sendDueNotices, sendNotices } from './notices.ts';

const ctx = useContext();
let mailer: RecordingMailer;
let account: AccountId;
beforeEach(async () => {
  await ctx.db.delete(notices);
  mailer = new RecordingMailer(ctx.config);
  account = await addAccount(ctx, 'Marlow & Finch');
});

const service = () => ({ ...ctx, mail: mailer });
const told = () => mailer.mails.map(({ to }) => to).toSorted();
const rows = async () => await ctx.db.select().from(notices);

async function join(role: Role, turnedOffMails: MailPreference[] = []) {
  const person = await addPerson(ctx, { email: `${role}-${crypto.randomUUID()}@example.com` });
  await ctx.db.update(people).set({ turnedOffMails }).where(eq(people.id, person.id));
  await addMember(ctx, { accountId: account, personId: person.id, role });
  return person;
}

const failing: MailContent = {
  kind: 'webhook.failing',
  subject: 'The webhook "Orders" is failing',
  paragraphs: ['Look at it.'],
  action: { label: 'Open the webhook', url: 'http://localhost:3000/settings/webhooks/7' },
};

async function decide(
  values: Partial<Parameters<typeof createNotices>[1]> = {},
  mail: MailContent = failing,
  end = () => undefined,
) {
  return await ctx.db.transaction(async (tx) => {
    const created = await createNotices(tx, {
      accountId: account,
      to: { act: 'webhooks.update' },
      subjectId: 'webhook 7',
      occasion: 'first',
      now: ctx.clock.now(),
      mail: () => mail,
      ...values,
    });
    end();
    return created;
  });
}

/** Decides and hands over, as a verb does. */
async function tell(...args: Parameters<typeof decide>): Promise<void> {
  sendNotices(service(), await decide(...args));
  await mailer.close();
}

async function passMinutes(minutes: number): Promise<void> {
  ctx.clock.advance(minutes * minuteMs);
  await sendDueNotices(service());
  await mailer.close();
}

describe('an email to members', () => {
  test('goes to those whose role can act, and to nobody of another account', async () => {
    const [owner, admin] = [await join('owner'), await join('admin')];
    await join('support');
    await join('viewer');
    const other = await addAccount(ctx);
    const stranger = await addPerson(ctx);
    await addMember(ctx, { accountId: other, personId: stranger.id, role: 'owner' });
    await tell();
    expect(told()).toEqual([admin.email, owner.email].toSorted());
    expect(mailer.mails[0]?.text).toContain('Account: Marlow & Finch');
  });

  test('goes to one member where one is named, and to nobody who is none', async () => {
    await join('owner');
    const viewer = await join('viewer');
    const stranger = await addPerson(ctx);
    await tell({ to: { personId: viewer.id } });
    await tell({ to: { personId: stranger.id }, occasion: 'second' });
    expect(told()).toEqual([viewer.email]);
  });

  test('leaves out the person who did it, and those who turned such emails off', async () => {
    const [owner, admin] = [await join('owner'), await join('admin')];
    await join('admin', ['webhooks']);
    const other = await join('admin', ['api_keys']);
    await tell({ except: admin.id });
    expect(told()).toEqual([other.email, owner.email].toSorted());
  });

  test('about the safety of a sign-in or a key goes to those who turned everything off too', async () => {
    const owner = await join('owner', ['api_keys', 'webhooks', 'rotation_requests', 'new_members']);
    await tell({}, { ...failing, kind: 'api_key.revoked_as_leaked' });
    expect(told()).toEqual([owner.email]);
  });

  test('is sent once for an occasion, and again for another', async () => {
    const owner = await join('owner');
    await tell();
    await tell();
    await tell({ subjectId: 'webhook 8' });
    await tell({ occasion: 'second' });
    await tell({}, { ...failing, kind: 'webhook.deactivated' });
    expect(told()).toEqual(Array.from({ length: 4 }, () => owner.email));
  });

  test('is also sent to a person who becomes a member before the occasion is over', async () => {
    const owner = await join('owner');
    await tell();
    const admin = await join('admin');
    await tell();
    expect(told()).toEqual([admin.email, owner.email].toSorted());
  });

  test('is not sent if its transaction was rolled back, and can be sent later', async () => {
    const owner = await join('owner');
    const undone = decide({}, failing, () => {
      throw new Error('undo');
    });
    await expect(undone).rejects.toThrow('undo');
    await passMinutes(60);
    expect(told()).toEqual([]);
    await tell();
    expect(told()).toEqual([owner.email]);
  });

  test('is stored without its text once it was sent', async () => {
    await join('owner');
    await tell();
    expect(await rows()).toMatchObject([
      { mail: null, nextAttemptAt: null, sentAt: ctx.clock.now(), attemptCount: 1 },
    ]);
  });
});

describe('an email that was not sent', () => {
  test('because the process ended after the commit is sent by the next process', async () => {
    const owner = await join('owner');
    await decide();
    await passMinutes(9);
    expect(told()).toEqual([]);
    await passMinutes(1);
    expect(told()).toEqual([owner.email]);
    await passMinutes(600);
    expect(told()).toEqual([owner.email]);
  });

  test('because the mail server is down is sent when it is back, once', async () => {
    const owner = await join('owner');
    mailer.isRefusing = true;
    await tell();
    await passMinutes(10);
    expect(told()).toEqual([]);
    mailer.isRefusing = false;
    await passMinutes(29);
    expect(told()).toEqual([]);
    await passMinutes(1);
    expect(told()).toEqual([owner.email]);
    await passMinutes(600);
    expect(told()).toEqual([owner.email]);
  });

  test('is given up after seven attempts over two days, which is logged without its text', async () => {
    await join('owner');
    mailer.isRefusing = true;
    await tell();
    const before = ctx.logged.length;
    ctx.expectErrors(/^an email was given up$/);
    for (const minutes of [10, 30, 120, 480, 960, 1440]) await passMinutes(minutes);
    expect(await rows()).toMatchObject([{ attemptCount: 7, mail: failing }]);
    await passMinutes(10);
    expect(await rows()).toMatchObject([{ mail: null, nextAttemptAt: null, sentAt: null }]);
    const logged = ctx.logged.slice(before);
    expect(logged).toMatchObject([{ msg: 'an email was given up', kind: 'webhook.failing' }]);
    expect(JSON.stringify(logged)).not.toContain('Orders');
  });

  test.each([
    [
      'left the account',
      async (id: string) => await ctx.db.delete(members).where(eq(members.personId, id)),
    ],
    [
      'turned such mails off',
      async (id: string) =>
        await ctx.db
          .update(people)
          .set({ turnedOffMails: ['webhooks'] })
          .where(eq(people.id, id)),
    ],
    [
      'deleted the account',
      async () =>
        await ctx.db
          .update(accounts)
          .set({ deletedAt: ctx.clock.now() })
          .where(eq(accounts.id, account)),
    ],
  ])('is not sent to someone who %s in the meantime', async (_what, happens) => {
    const { id } = await join('owner');
    await decide();
    await happens(id);
    await passMinutes(10);
    expect(told()).toEqual([]);
    expect(await rows()).toMatchObject([{ mail: null, nextAttemptAt: null, sentAt: null }]);
  });

  test('goes to the person’s address at the time of sending', async () => {
    const { id } = await join('owner');
    await decide();
    const email = `new-${crypto.randomUUID()}@example.com`;
    await ctx.db.update(people).set({ email }).where(eq(people.id, id));
    await passMinutes(10);
    expect(told()).toEqual([email]);
  });
});

test('sent notices are forgotten after 400 days, and waiting ones are not', async () => {
  await join('owner');
  await tell();
  await decide({ occasion: 'second' });
  ctx.clock.advance(399 * dayMs);
  await deleteOldNotices(ctx);
  expect(await rows()).toHaveLength(2);
  ctx.clock.advance(2 * dayMs);
  await deleteOldNotices(ctx);
  expect(await rows()).toMatchObject([{ occasion: 'second' }]);
});

describe('the email about a deleted or restored account', () => {
  const accountName = 'Marlow & Finch';
  let owner: PersonActor;
  beforeEach(async () => {
    owner = await (await new TestApi(ctx).account()).member('owner');
  });
  const subjects = () => mailer.mails.map(({ to, subject }) => to === owner.email && subject);

  test('goes to owners when the mail server is back, and only about the latest of both', async () => {
    mailer.isRefusing = true;
    await deleteAccount(service(), owner, { name: accountName });
    await restoreAccount(service(), owner);
    mailer.isRefusing = false;
    await passMinutes(10);
    expect(subjects()).toEqual([`The account "${accountName}" was restored`]);
  });

  test('is sent each time', async () => {
    for (let time = 0; time < 2; time += 1) {
      await deleteAccount(service(), owner, { name: accountName });
      ctx.clock.advance(1000);
      await restoreAccount(service(), owner);
      ctx.clock.advance(1000);
    }
    expect(subjects()).toEqual(
      ['deleted', 'restored', 'deleted', 'restored'].map(
        (end) => `The account "${accountName}" was ${end}`,
      ),
    );
  });
});
