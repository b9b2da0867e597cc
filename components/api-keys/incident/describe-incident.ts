import type { Incident } from '#lib/contract/api-keys/incident.ts';
import { countOf } from '#lib/count.ts';

type Counted = Pick<Incident, 'act' | 'state' | 'counts'>;

/** How many keys an incident is about. */
export function keysOf({ counts }: Pick<Incident, 'counts'>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** "Rotating 12 keys", "12 keys revoked", "5 of 12 keys rotated" */
export function incidentTitle(incident: Counted): string {
  const { act, state, counts } = incident;
  const all = keysOf(incident);
  if (state === 'running') {
    return `${act === 'rotate' ? 'Rotating' : 'Revoking'} ${countOf(all, 'key')}`;
  }
  const done = act === 'rotate' ? 'rotated' : 'revoked';
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
