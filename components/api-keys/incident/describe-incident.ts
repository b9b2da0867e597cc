import {
  type IncidentAct,
  incidentWords,
} from '#lib/contract/api-keys/incidents/incident-words.ts';
import type { Incident } from '#lib/contract/api-keys/incidents/incident.ts';
import type { IncidentPreview } from '#lib/contract/api-keys/incidents/incident-preview.ts';
import { countOf } from '#lib/count.ts';

type Counted = Pick<Incident, 'act' | 'state' | 'counts'>;

export function keysOf({ counts }: Pick<Incident, 'counts'>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** What starting an incident with so many keys does. */
export function describeEffect(act: IncidentAct, keys: number): string {
  const isOne = keys === 1;
  if (act === 'revoke') {
    return `Calls with ${isOne ? 'the' : 'a'} key are rejected with 401 as soon as it is revoked, within seconds. This cannot be undone.`;
  }
  if (act === 'pause') {
    return `Calls with ${isOne ? 'the key' : 'these keys'} are rejected with 401 until someone resumes ${isOne ? 'it' : 'them'}. Tokens, settings and end dates do not change.`;
  }
  if (act === 'resume') {
    return `Calls with the valid tokens of ${isOne ? 'the key' : 'these keys'} are accepted again.`;
  }
  return isOne
    ? 'The key gets a new token; everything else stays the same. The new token is not shown yet: you get it from the list of results.'
    : 'Each key gets a new token; everything else stays the same. The new tokens are not shown yet: you get each one from the list of results.';
}

export function describeKeysInUse({
  keys,
  totals,
}: Pick<IncidentPreview, 'keys' | 'totals'>): string {
  if (totals.keys_in_use > 0) return countOf(totals.keys_in_use, 'key');
  return keys.length === 1 ? 'No' : 'None of these keys';
}

/** How many calls were made in the last day with the tokens that would end. */
export function describeLastDay({ totals }: Pick<IncidentPreview, 'totals'>): string {
  const tokens = totals.tokens_ending_now + totals.tokens_ending_later;
  const calls = countOf(totals.calls_last_day, 'call');
  return `${calls} with ${tokens === 1 ? 'this token' : 'these tokens'}`;
}

/** "Rotating 12 keys", "12 keys revoked", "5 of 12 keys rotated" */
export function incidentTitle(incident: Counted): string {
  const { act, state, counts } = incident;
  const all = keysOf(incident);
  if (state === 'running') {
    return `${incidentWords[act].doing} ${countOf(all, 'key')}`;
  }
  const { done } = incidentWords[act];
  return counts.done === all
    ? `${countOf(all, 'key')} ${done}`
    : `${counts.done} of ${countOf(all, 'key')} ${done}`;
}

/** The same, and how many keys were left out: "9 of 12 keys rotated, 2 skipped, 1 failed" */
export function describeIncidentOutcome(incident: Counted): string {
  const { skipped, failed, cancelled } = incident.counts;
  const rest = [
    skipped > 0 && `${skipped} skipped`,
    failed > 0 && `${failed} failed`,
    cancelled > 0 && `${cancelled} cancelled`,
  ].filter((part) => part !== false);
  return [incidentTitle(incident), ...rest].join(', ');
}
