import { messageIdOf } from '#lib/contract/deliveries/delivery-subject.ts';
import type { TakenDelivery } from '../domain/lanes/read-taken-lanes.ts';
import type { OpenSpan, Traced } from '../tracing/tracing.ts';
import type { HeldLane } from './held-lane.ts';
import type { Outcome } from './outcome/decide-outcome.ts';
import type { AttemptResult } from './sending/attempt.ts';

/**
 * Begins the span of an attempt, below that of its event; null if no traces are recorded. It names
 * the webhook by its id, and not by its URL, which may contain a secret.
 */
export function beginAttemptSpan(
  { tracing }: Traced,
  { accountId, webhookId }: Pick<HeldLane, 'accountId' | 'webhookId'>,
  delivery: TakenDelivery,
): OpenSpan | null {
  if (tracing === null) return null;
  const { event, attemptCount } = delivery;
  return tracing.begin({
    name: 'POST webhook',
    kind: 'client',
    parent: event?.traceParent ?? null,
    attributes: {
      'http.request.method': 'POST',
      ...(attemptCount > 0 && { 'http.request.resend_count': attemptCount }),
      ...(event && { 'messaging.message.id': messageIdOf(event.uuid, delivery) }),
      'conversation_service.account.id': accountId,
      'conversation_service.webhook.id': webhookId,
    },
  });
}

export function endAttemptSpan(
  span: OpenSpan,
  { result, outcome }: { result: AttemptResult; outcome: Outcome },
): void {
  const { response, error } = result;
  const status = response?.statusCode;
  const isFailed = outcome.kind !== 'delivered';
  span.end({
    ...(status !== undefined && { 'http.response.status_code': status }),
    ...(isFailed && { 'error.type': error?.kind ?? String(status ?? outcome.kind) }),
    'conversation_service.attempt.outcome': outcome.kind,
  });
}
