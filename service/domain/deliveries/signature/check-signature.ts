import { messageIdOf, parseDeliverySubject } from '#lib/contract/deliveries/delivery-subject.ts';
import type {
  CheckSignatureInput,
  SignatureCheck,
} from '#lib/contract/deliveries/signature-checks.ts';
import { testEventType } from '#lib/contract/events/events.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import { limitKeyOf, type Actor } from '../../actor.ts';
import { mayReadErrorText, mayReadPayload } from '../../events/may-read-payload.ts';
import { refuseOverLimit } from '../../refuse-over-limit.ts';
import { findWebhook, readSecrets } from '../../webhooks/read-webhooks.ts';
import { findSentRow, listAttemptRows } from '../store/deliveries.ts';
import { diagnoseSignature, type KnownSecret } from './diagnose-signature.ts';

/**
 * Says why a receiver's signature does not match, by comparing it with a delivery that the webhook
 * made. Writes nothing: nothing that is pasted is stored, logged or recorded.
 *
 * @throws ServiceError NOT_FOUND; RATE_LIMIT_EXCEEDED beyond 30 checks of the caller in a minute
 */
export async function checkSignature(
  ctx: Context,
  actor: Actor,
  { webhook: reference, ...pasted }: { webhook: string } & CheckSignatureInput,
): Promise<SignatureCheck> {
  const webhook = await findWebhook(ctx, actor, { webhook: reference });
  await refuseOverLimit(ctx, [{ limit: 'signature-check', key: limitKeyOf(actor) }]);
  const id = pasted.headers['webhook-id']?.trim();
  if (id === undefined) return { ...nothing, verdict: 'header_missing', headers: ['webhook-id'] };
  const subject = parseDeliverySubject(id);
  const delivery =
    subject?.kind === 'uuid' ? await findSentRow(ctx.db, webhook, subject.uuid) : null;
  if (!delivery) return { ...nothing, verdict: 'no_delivery' };

  const { eventType } = delivery;
  const attempts = await listAttemptRows(ctx.db, delivery);
  const { attempt, secret, ...diagnosis } = diagnoseSignature({
    pasted,
    sent: {
      messageId: messageIdOf(delivery.eventUuid, { isTest: eventType === testEventType }),
      body: delivery.payload,
      isPending: delivery.status === 'pending',
      attempts: attempts
        // One that was never sent has no headers.
        .filter(({ requestHeaders }) => requestHeaders['webhook-signature'] !== undefined)
        .map((row) => ({
          number: row.number,
          requestHeaders: row.requestHeaders,
          endedAt: new Date(row.startedAt.getTime() + row.durationMs),
          responseDate: row.responseHeaders?.['date'],
        })),
    },
    secrets: (await readSecrets(ctx, actor)).map((one) => ({
      ...one,
      isOwn: one.webhook.id === webhook.id,
    })),
    now: ctx.clock.now(),
    mayReadPayload: mayReadPayload(actor, eventType),
    mayReadErrorText: mayReadErrorText(actor, eventType),
  });
  const signedAt = attempt && new Date(Number(attempt.requestHeaders['webhook-timestamp']) * 1000);
  return {
    ...diagnosis,
    delivery: {
      uuid: delivery.uuid,
      attempt: attempt?.number ?? null,
      signed_at: signedAt && formatApiTime(signedAt),
    },
    secret: secret && describeSecret(secret),
  };
}

const nothing = {
  also: [],
  headers: [],
  delivery: null,
  secret: null,
  signed: null,
  body: null,
  clock_offset_seconds: null,
};

function describeSecret({
  webhook,
  text,
  createdAt,
  validUntil,
}: KnownSecret): SignatureCheck['secret'] {
  return {
    webhook: { uuid: webhook.uuid, name: webhook.name },
    last_four: text.slice(-4),
    created_at: formatApiTime(createdAt),
    valid_until: validUntil && formatApiTime(validUntil),
  };
}
