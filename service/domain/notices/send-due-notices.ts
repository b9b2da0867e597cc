import type { Context } from '../../context.ts';
import { plainName } from '../quote-name.ts';
import { maxSendAttempts, nextSendAttemptAfter, wantsMail } from './rules.ts';
import { sendNotices } from './send-notices.ts';
import { finishNotice, lockDueNotices, scheduleNotice } from './store.ts';
import type { DueNotice } from './store.ts';

/** Emails that wait for the mail server at a time, over all of a process. */
const maxQueued = 100;

/**
 * Tries again what no mail server took yet, and what a process that ended left behind. After seven
 * tries over two days an email is given up, which is logged; what it says stands in the dashboard.
 * It is not sent to somebody who left the account meanwhile or turned such mails off. Once an account
 * is deleted, only the email about that is sent. Any number of processes may do so at once.
 */
export async function sendDueNotices(
  ctx: Pick<Context, 'db' | 'clock' | 'log' | 'mail'>,
): Promise<void> {
  const limit = maxQueued - ctx.mail.waiting;
  if (limit <= 0) return;
  const now = ctx.clock.now();
  const due = await ctx.db.transaction(async (tx) => {
    const claimed: DueNotice[] = [];
    for (const notice of await lockDueNotices(tx, { now, limit })) {
      const { uuid, tries, mail } = notice;
      const isWanted = notice.isFit && wantsMail(notice.turnedOff, mail.kind);
      if (isWanted && tries < maxSendAttempts) {
        await scheduleNotice(tx, uuid, {
          tries: tries + 1,
          at: nextSendAttemptAfter(tries + 1, now),
        });
        claimed.push(notice);
      } else {
        await finishNotice(tx, uuid, { sentAt: null });
        if (isWanted) ctx.log.error({ notice: uuid, kind: mail.kind }, 'an email was given up');
      }
    }
    return claimed;
  });
  sendNotices(
    ctx,
    due.map(({ uuid, email, name, mail }) => ({
      uuid,
      to: email,
      name: plainName(name),
      content: mail,
    })),
  );
}
