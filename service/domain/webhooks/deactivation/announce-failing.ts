import { formatApiTime } from '#lib/time.ts';
import { mintAccountId } from '../../account-id.ts';
import { actOnEach } from '../../act-on-each.ts';
import type { AnnouncingContext } from '../../events/announcing-context.ts';
import { publishEvent } from '../../events/publish-event.ts';
import { sendNotices } from '../../notices/send-notices.ts';
import { lockActiveWebhooks } from '../store/webhooks.ts';
import { claimFailing, listUnannouncedFailing } from '../store/failing-webhooks.ts';
import type { Announced } from './deactivate-webhook.ts';
import { failingMail, notifyManagers } from './deactivation-mails.ts';
import { deactivationDate } from './deactivation-rules.ts';

/**
 * How many webhooks are announced in one run; the next run, some seconds later, takes the others.
 */
const batchSize = 500;

/**
 * Announces active webhooks that began to fail, with an event and an email to those who can fix
 * them: each webhook once until it succeeds again, by whichever process comes first. A webhook that
 * works again before that is not announced. For a webhook that fails and works in turns, people get
 * one email a day.
 */
export async function announceFailing(ctx: AnnouncingContext): Promise<void> {
  await actOnEach(await listUnannouncedFailing(ctx.db, ctx.clock.now(), batchSize), {
    act: async ({ id }) => await announce(ctx, id),
    log: ctx.log,
    failure: 'a failing webhook was not announced yet',
    name: ({ id }) => ({ webhook_id: id }),
  });
}

async function announce(ctx: AnnouncingContext, webhookId: number): Promise<void> {
  const announced = await ctx.db.transaction(async (tx): Promise<Announced | null> => {
    const now = ctx.clock.now();
    const [webhook] = await lockActiveWebhooks(tx, [webhookId]);
    if (!webhook) return null;
    const failing = await claimFailing(tx, webhookId, now);
    if (!failing) return null;
    const { id, uuid, name } = webhook;
    const toTouch = await publishEvent(tx, {
      accountId: mintAccountId(webhook.accountId),
      now,
      event: {
        type: 'webhook.failing',
        data: {
          webhook: { id, uuid, name },
          failing_since: formatApiTime(failing.failingSince),
          failure_count: failing.failureCount,
          deactivates_at: formatApiTime(deactivationDate(failing.failingSince)),
        },
      },
    });
    const mail = failingMail(ctx, webhook, failing);
    const occasion = now.toISOString().slice(0, 'yyyy-mm-dd'.length);
    return { toTouch, notices: await notifyManagers(tx, { webhook, occasion, mail, now }) };
  });
  if (!announced) return;
  ctx.laneNotifier.offer(announced.toTouch);
  sendNotices(ctx, announced.notices);
}
