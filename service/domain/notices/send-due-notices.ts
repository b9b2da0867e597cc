import type { Context } from '../../context.ts';
import { plainName } from '../quote-name.ts';
import { maxSendAttempts, nextSendAttemptAfter, wantsMail } from './rules.ts';
import { sendNotices } from './send-notices.ts';
import { finishNotice, lockDueNotices, scheduleNotice } from './store.ts';
import type { DueNotice } from './store.ts';

/** How many emails of a process may wait for the mail server at a time. */
const maxQueued = 100;

/**
 * Sends emails again that no mail server has accepted yet, or that a process left behind when it
 * ended. After seven attempts over two days an email is given up, which is logged; its content is
 * in the dashboard. No email is sent to somebody who left the account in the meantime or turned
 * such emails off. Once an account is deleted, only the email about the deletion is sent. Any
 * number of processes may do this at the same time.
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
      const { uuid, attemptCount, mail } = notice;
      const isWanted = notice.isFit && wantsMail(notice.turnedOff, mail.kind);
      if (isWanted && attemptCount < maxSendAttempts) {
        await scheduleNotice(tx, uuid, {
          attemptCount: attemptCount + 1,
          at: nextSendAttemptAfter(attemptCount + 1, now),
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
