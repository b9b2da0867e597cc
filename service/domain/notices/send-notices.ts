import type { Context } from '../../context.ts';
import type { Notice } from './create-notices.ts';
import { leaseMs } from './rules.ts';
import { finishNotice } from './store.ts';

/**
 * Hands over emails that `createNotices` wrote down, and does not wait for them. Call it after the
 * commit. What a mail server does not take is tried again by `sendDueNotices`.
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
