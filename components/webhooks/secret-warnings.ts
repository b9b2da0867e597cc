import type { Webhook } from '#lib/contract/webhooks/webhook.ts';

/** A condition of a webhook's secret that a person should know about. */
export type SecretWarning = 'not-shown' | 'unconfirmed' | 'old-secret-signs';

/** The conditions of a webhook's secret at `now`, most urgent first; none during its set-up. */
export function secretWarnings(webhook: Webhook, now: Date): SecretWarning[] {
  const conditions: SecretWarning[] = [];
  if (webhook.status === 'pending_setup') return conditions;
  if (!webhook.secret.was_shown) conditions.push('not-shown');
  if (webhook.secret.unconfirmed) conditions.push('unconfirmed');
  if (hasPreviousSecret(webhook, now)) conditions.push('old-secret-signs');
  return conditions;
}

/** Whether the previous secret still signs at `now`: the webhook may have been read before. */
function hasPreviousSecret({ secret }: Pick<Webhook, 'secret'>, now: Date): boolean {
  const end = secret.previous_valid_until;
  return end !== null && Date.parse(end) > now.getTime();
}
