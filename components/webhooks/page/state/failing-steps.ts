import type { WebhookStatistics } from '#lib/contract/webhooks/webhook-statistics.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { deactivationTime, warningTimes } from '../../inactive-reason.ts';

export type FailingStep = {
  kind: 'attempt' | 'warning' | 'deactivation';
  /** Null: nothing waits to be sent. Undefined: it is not known yet. */
  at: Date | null | undefined;
};

/** What happens next to a failing webhook unless an attempt succeeds, in order. */
export function failingSteps(
  webhook: Pick<Webhook, 'failing_since'>,
  next: WebhookStatistics['next_attempt'] | undefined,
  now: Date,
): FailingStep[] {
  const end = deactivationTime(webhook);
  return [
    { kind: 'attempt', at: next && new Date(next.at) },
    ...warningTimes(webhook)
      .filter((at) => at > now)
      .map((at) => ({ kind: 'warning' as const, at })),
    ...(end === null ? [] : [{ kind: 'deactivation' as const, at: end }]),
  ];
}
