import type { Context } from '../../context.ts';
import type { Notice } from './create-notices.ts';
import { leaseMs } from './rules.ts';
import { finishNotice } from './store.ts';

/**
 * Passes emails that `createNotices` stored to the mail server, without waiting for the result.
 * Call it after the commit. Emails that the mail server does not accept are sent again by
 * `sendDueNotices`.
 */
export function sendNotices(
  ctx: Pick<Context, 'db' | 'clock' | 'mail'>,
  notices: readonly Notice[],
): void {
  for (const { uuid, to, name, content } of notices) {
    ctx.mail.sendOnce(
      { ...content, to, name },
      {
        id: uuid,
        withinMs: leaseMs,
        taken: async () => await finishNotice(ctx.db, uuid, { sentAt: ctx.clock.now() }),
      },
    );
  }
}
