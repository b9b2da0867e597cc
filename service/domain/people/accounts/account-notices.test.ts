import { beforeEach, expect, test } from 'vitest';
import { minuteMs } from '#lib/durations.ts';
import { notices } from '../../../db/schema/people/notices.ts';
import { TestApi } from '../../../testing/api.ts';
import { RecordingMailer } from '../../../testing/recording-mailer.ts';
import { useContext } from '../../../testing/use-api.ts';
import type { PersonActor } from '../../actor.ts';
import { sendDueNotices } from '../notices/notices.ts';
import { deleteAccount, restoreAccount } from './delete-account.ts';

const accountName = 'Marlow & Finch';

const ctx = useContext();
let mailer: RecordingMailer;
let owner: PersonActor;

beforeEach(async () => {
  await ctx.db.delete(notices);
  mailer = new RecordingMailer(ctx.config);
  mailer.isRefusing = true;
  owner = await (await new TestApi(ctx).account()).member('owner');
});

const service = () => ({ ...ctx, mail: mailer });
const told = () => mailer.mails.map(({ to, subject }) => [to, subject]);

async function passMinutes(minutes: number): Promise<void> {
  ctx.clock.advance(minutes * minuteMs);
  await sendDueNotices(service());
  await mailer.close();
}

test('owners get the email that their account was restored when the mail server is back, and not the one about its deletion', async () => {
  await deleteAccount(service(), owner, { name: accountName });
  await restoreAccount(service(), owner);

  mailer.isRefusing = false;
  await passMinutes(10);
  expect(told()).toEqual([[owner.email, `The account "${accountName}" was restored`]]);
});

test('owners get an email each time their account is deleted or restored', async () => {
  mailer.isRefusing = false;
  for (let time = 0; time < 2; time += 1) {
    await deleteAccount(service(), owner, { name: accountName });
    ctx.clock.advance(1000);
    await restoreAccount(service(), owner);
    ctx.clock.advance(1000);
  }
  expect(told().map(([, subject]) => subject?.split(' ').at(-1))).toEqual([
    'deleted',
    'restored',
    'deleted',
    'restored',
  ]);
});
