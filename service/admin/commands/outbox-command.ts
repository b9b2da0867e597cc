import { formatExactSeconds } from '#lib/time.ts';
import { listOutbox, outboxOf, readOutboxMail } from '../../mail/outbox.ts';
import type { OutboxMail } from '../../mail/outbox.ts';
import { done, failed } from '../outcome.ts';
import type { CommandReader } from '../outcome.ts';
import { formatTable } from './format-table.ts';

const maxListed = 50;

export const readOutbox: CommandReader = (args) => {
  if (args.length > 1) return 'outbox takes no arguments, or the ID of one email.';
  const [id] = args;
  return async ({ config }) => {
    const folder = outboxOf(config);
    if (id === undefined) {
      const { mails, older } = await listOutbox(folder, { max: maxListed });
      if (mails.length === 0) return done('The outbox is empty.');
      return done(formatMails(mails, older));
    }
    const mail = await readOutboxMail(folder, id);
    if (mail) return done(formatMail(mail));
    return failed(
      `There is no email with the ID "${id}". List the emails: npm run admin -- outbox`,
    );
  };
};

function formatMails(mails: readonly OutboxMail[], older: number): string {
  const rows = mails.map(({ id, at, to, subject }) => [id, timeOf(at), to, subject]);
  const table = formatTable(['ID', 'TIME', 'TO', 'SUBJECT'], rows);
  return older === 0 ? table : `${table}\n\n${older} older ones are not listed.`;
}

function formatMail({ at, to, subject, text }: OutboxMail): string {
  return `To:      ${to}\nSubject: ${subject}\nTime:    ${timeOf(at)}\n\n${text}`;
}

function timeOf(at: Date): string {
  return formatExactSeconds(at, 'UTC');
}
