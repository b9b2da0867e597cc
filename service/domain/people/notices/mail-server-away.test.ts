import { beforeEach, expect, test } from 'vitest';
import { minuteMs } from '#lib/durations.ts';
import { notices } from '../../../db/schema/people/notices.ts';
import { createMailer } from '../../../mail/mailer.ts';
import type { Mailer } from '../../../mail/mailer.ts';
import type { TestContext } from '../../../testing/context.ts';
import { TestLog } from '../../../testing/logger.ts';
import { startMailServer } from '../../../testing/mails/mail-server.ts';
import { addAccount, addMember, addPerson } from '../../../testing/records/people.ts';
import { useContext } from '../../../testing/use-api.ts';
import { addMemberAsOperator } from '../members/operator/members-as-operator.ts';
import { sendDueNotices } from './notices.ts';

const ctx = useContext();
let accountId: string;
let owner: { email: string };
beforeEach(async () => {
  await ctx.db.delete(notices);
  const id = await addAccount(ctx);
  const person = await addPerson(ctx);
  await addMember(ctx, { accountId: id, personId: person.id, role: 'owner' });
  [accountId, owner] = [id, person];
});

/** A process of the service that sends through a mail server, with a time limit for each email. */
function serviceWith(smtpUrl: string, patienceMs = 60_000) {
  const config = { ...ctx.config, smtpUrl };
  const { logger } = new TestLog();
  const mail = createMailer({ config, log: logger }, { pausesMs: [], patienceMs });
  return { ...ctx, config, mail };
}

/** Does what members get emails about, and waits until the mail server has handled them. */
async function add(service: TestContext & { mail: Mailer }): Promise<string> {
  const email = `${crypto.randomUUID()}@example.com`;
  const { kind } = await addMemberAsOperator(service, {
    account: accountId,
    email,
    role: 'viewer',
  });
  await expect.poll(() => service.mail.waiting, { timeout: 20_000 }).toBe(0);
  return kind;
}

async function passMinutes(service: TestContext & { mail: Mailer }, minutes: number) {
  ctx.clock.advance(minutes * minuteMs);
  await sendDueNotices(service);
  await expect.poll(() => service.mail.waiting, { timeout: 20_000 }).toBe(0);
}

const idIn = (data: string) => /^Message-ID: (.*)$/m.exec(data)?.[1];

test.each([
  ['refuses every email', { refusals: 1_000 }],
  ['takes connections and says nothing', { isSilent: true }],
])('events that members are told of still happen while the mail server %s', async (_what, mood) => {
  const server = await startMailServer(mood);
  const hindered = serviceWith(server.url, server.mood.isSilent ? 50 : undefined);
  expect(await add(hindered)).toBe('added');
  await passMinutes(hindered, 10);
  expect(server.received).toEqual([]);

  Object.assign(server.mood, { refusals: 0, isSilent: false });
  const service = serviceWith(server.url);
  await passMinutes(service, 30);
  expect(server.received.map(({ to }) => to)).toEqual([`RCPT TO:<${owner.email}>`]);
  await passMinutes(service, 600);
  expect(server.received).toHaveLength(1);
});

test('an email that the mail server accepted without a reply is sent again, with the same Message-ID', async () => {
  const server = await startMailServer({ losses: 1 });
  const service = serviceWith(server.url);
  expect(await add(service)).toBe('added');
  await passMinutes(service, 10);
  await passMinutes(service, 600);
  const ids = server.received.map(({ data }) => idIn(data));
  expect(ids).toHaveLength(2);
  expect(ids[0]).toBe(ids[1]);
});
