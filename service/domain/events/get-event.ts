import { testEventType } from '#lib/contract/events/events.ts';
import type { RecordedEventWithOutcomes } from '#lib/contract/events/recorded-events.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { notFound } from '../errors.ts';
import { largestBigId, parseResourceReference } from '../resource-reference.ts';
import { describeEvent } from './describe-event.ts';
import { describeOutcome } from './describe-outcome.ts';
import { mayReadPayload } from './may-read-payload.ts';
import { findEventRow, listWebhooksOfEvent } from './store.ts';

/**
 * One event of the actor's account, with its result for each present webhook of the account. For a
 * test event, only the webhook it was sent to is listed.
 * @throws ServiceError NOT_FOUND
 */
export async function getEvent(
  ctx: Context,
  actor: Actor,
  input: { event: string },
): Promise<RecordedEventWithOutcomes> {
  const reference = parseResourceReference(input.event, largestBigId);
  const event = reference && (await findEventRow(ctx.db, actor.accountId, reference));
  if (!event) throw notFound();
  const webhooks = await listWebhooksOfEvent(ctx.db, event);
  return {
    ...describeEvent(event, { withData: mayReadPayload(actor, event.type) }),
    outcomes: webhooks
      .filter(({ delivery }) => delivery !== null || event.type !== testEventType)
      .map((webhook) => describeOutcome(event, webhook)),
  };
}
