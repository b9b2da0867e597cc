import type { z } from 'zod';
import { sendEvent as contract } from '#lib/contract/events/recorded-events.ts';
import type { sendEventInput } from '#lib/contract/events/recorded-events.ts';
import type { Delivery } from '#lib/contract/deliveries/delivery.ts';
import { testEventType, type EventType } from '#lib/contract/events/events.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/open.ts';
import type { Actor } from '../actor.ts';
import { confirmCaller } from '../api-keys/confirm-actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { describeDelivery } from '../deliveries/describe-delivery.ts';
import { findDelivery } from '../deliveries/read-deliveries.ts';
import { makeEventDue } from '../deliveries/retry-delivery.ts';
import { invalid } from '../errors.ts';
import { refuseOverLimit } from '../refuse-over-limit.ts';
import { confirmReader, lockExistingWebhook } from '../webhooks/lock-webhook.ts';
import { carryOutUpdate, planUpdate } from '../webhooks/update-webhook.ts';
import { findEvent, judgeEvent } from './read-events.ts';

type Input = { event: string } & z.output<typeof sendEventInput>;

/** The row of an event whose type webhooks can subscribe to. */
type SentEvent = Awaited<ReturnType<typeof findEvent>> & { type: EventType };

/**
 * Sends an event to webhooks: to those that are named, whatever their filters say, or to all that
 * missed it without being filtered out. A webhook that has
 * a delivery of it gets that one again.
 *
 * @throws ServiceError NOT_FOUND for the event or a webhook; RATE_LIMIT_EXCEEDED for a delivery that
 *   was retried within a minute; FORBIDDEN if the actor may not subscribe a webhook to the type;
 *   VALIDATION_ERROR for a test, for an event about the webhook itself, if no webhook missed it, or
 *   if one is inactive or does not subscribe to its type
 */
export async function sendEvent(ctx: Context, actor: Actor, input: Input): Promise<Delivery[]> {
  const event = await findEvent(ctx, actor, input);
  if (!isSendable(event)) {
    throw invalid('event', 'Tests are not sent again. Send another test to the webhook.');
  }
  const judged = await judgeEvent(ctx, actor, event);
  const missed = judged.filter(
    ({ verdict }) => verdict.nextStep === 'send' && verdict.outcome !== 'filtered_out',
  );
  const chosen = input.webhooks ?? missed.map(({ webhook }) => webhook.id);
  if (chosen.length === 0) throw invalid('webhooks', 'No webhook missed this event.');
  const ids = [...new Set(chosen)].toSorted((one, other) => one - other);
  const retried = judged.flatMap(({ webhook, delivery }) =>
    delivery !== null && ids.includes(webhook.id)
      ? { limit: 'delivery-retry' as const, key: delivery.uuid }
      : [],
  );
  if (retried.length > 0) await refuseOverLimit(ctx, retried);
  const sent = await ctx.db.transaction(async (tx) => {
    await confirmCaller(tx, actor, { ...contract.access, clock: ctx.clock });
    const deliveries: { uuid: string }[] = [];
    const names: string[] = [];
    // In the order of their ids, in which every transaction locks webhooks.
    for (const id of ids) {
      const webhook = input.subscribe
        ? await subscribe(tx, { ctx, actor }, { event, id })
        : await lockExistingWebhook(tx, actor.accountId, id);
      refuseTarget(event, webhook);
      deliveries.push(await makeEventDue(tx, { webhook, event, now: ctx.clock.now() }));
      names.push(webhook.name);
    }
    await recordAudit(tx, {
      actor,
      action: 'event.sent',
      at: ctx.clock.now(),
      target: { kind: 'event', id: event.uuid, name: event.type },
      changes: { webhooks: names, deliveries: deliveries.map(({ uuid }) => uuid) },
    });
    return deliveries;
  });
  ctx.laneNotifier.queue(ids);
  return await Promise.all(
    sent.map(async ({ uuid }) =>
      describeDelivery(await findDelivery(ctx, actor, { delivery: uuid })),
    ),
  );
}

function isSendable(event: Awaited<ReturnType<typeof findEvent>>): event is SentEvent {
  return event.type !== testEventType;
}

/** @throws ServiceError VALIDATION_ERROR */
function refuseTarget(
  event: SentEvent,
  webhook: Awaited<ReturnType<typeof lockExistingWebhook>>,
): void {
  const { name } = webhook;
  if (event.aboutWebhookId === webhook.id) {
    throw invalid('webhooks', `The event is about ${name}, and is sent to others only.`);
  }
  if (!webhook.isActive) throw invalid('webhooks', `${name} is inactive. Resume it first.`);
  if (!webhook.events.includes(event.type)) {
    throw invalid('webhooks', `${name} does not subscribe to ${event.type}.`);
  }
}

/** The webhook, locked, after it was subscribed to the type of the event. */
async function subscribe(
  tx: Tx,
  { ctx, actor }: { ctx: Context; actor: Actor },
  { event, id }: { event: SentEvent; id: number },
) {
  const update = { ctx, actor, input: { webhook: String(id) } };
  const planned = await planUpdate(tx, update);
  const { events } = planned.before;
  if (events.includes(event.type)) return planned.before;
  await confirmReader(tx, actor, { events: [event.type], clock: ctx.clock });
  const change = { ...planned.change, events: [...events, event.type] };
  return (await carryOutUpdate(tx, update, { ...planned, change })).webhook;
}
