import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import { mintAccountId } from '../../account-id.ts';
import { publishEvent } from '../../events/publish-event.ts';
import { lockActiveWebhooks } from '../store.ts';
import { claimFailing, listUnannouncedFailing } from '../store/failing-webhooks.ts';
import { deactivationDate } from './deactivation-rules.ts';

type AnnouncingContext = Pick<Context, 'db' | 'clock' | 'log' | 'laneTouches'>;

/** How many webhooks are announced at a time; the others have their turn some seconds later. */
const batchSize = 500;

/**
 * Announces, as events, active webhooks that began to fail: each once until it succeeds again, by
 * whichever process comes first. One that works again before its turn is not announced.
 */
export async function announceFailing(ctx: AnnouncingContext): Promise<void> {
  for (const { id } of await listUnannouncedFailing(ctx.db, ctx.clock.now(), batchSize)) {
    try {
      await announce(ctx, id);
    } catch (error) {
      ctx.log.error({ err: error, webhookId: id }, 'a failing webhook was not announced yet');
    }
  }
}

async function announce(
  { db, clock, laneTouches }: AnnouncingContext,
  webhookId: number,
): Promise<void> {
  const webhookIds = await db.transaction(async (tx) => {
    const now = clock.now();
    const [webhook] = await lockActiveWebhooks(tx, [webhookId]);
    if (!webhook) return [];
    const failing = await claimFailing(tx, webhookId, now);
    if (!failing) return [];
    const { id, uuid, name } = webhook;
    return await publishEvent(tx, {
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
  });
  laneTouches.add(webhookIds);
}
