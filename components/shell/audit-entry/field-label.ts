/** A recorded field as people read it: `older_tokens` is "Older tokens". */
export function fieldLabel(field: string): string {
  const words = fieldWords(field);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The same in the middle of a line: "older tokens". */
export function fieldWords(field: string): string {
  return (
    names.get(field) ?? field.replaceAll('_', ' ').replaceAll(/\b(?:id|ip|url|uuid)\b/g, toCapitals)
  );
}

function toCapitals(word: string): string {
  return word.toUpperCase();
}

/** Fields that the dashboard calls something else elsewhere. */
const names = new Map([
  ['allowed_cidrs', 'allowed networks'],
  ['ended_ip', 'IP address of the ended session'],
  ['ended_user_agent', 'user agent of the ended session'],
  ['failed_sign_ins', 'failed sign-ins'],
  ['grace_period_seconds', 'grace period in seconds'],
  ['is_active', 'active'],
  ['live_api_keys', 'active API keys'],
  ['max_keys', 'quota of API keys'],
  ['max_webhooks', 'quota of webhooks'],
  ['previous_last_four', 'last four of the previous secret'],
  ['previous_valid_until', 'previous secret signs until'],
  ['previous_was_shown', 'previous secret was shown'],
  ['rate_limit_per_minute', 'calls per minute'],
  ['responsible', 'responsible person'],
]);
