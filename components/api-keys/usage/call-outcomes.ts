import { callOutcomes, type CallOutcome } from '#lib/contract/api-keys/call-outcomes.ts';
import type { CallCounts } from '#lib/contract/api-keys/usage.ts';
import { formatCount } from '#lib/count.ts';

/** The outcomes of calls as parts of a bar, from bottom to top. */
export const outcomeStyles: Record<CallOutcome, { label: string; color: string }> = {
  succeeded: { label: 'Succeeded', color: 'bg-data-delivered' },
  client_error: { label: 'Client error', color: 'bg-data-other' },
  limited: { label: 'Limited', color: 'bg-data-retried' },
  refused: { label: 'Refused', color: 'bg-data-failed' },
  failed: { label: 'Failed in the service', color: 'bg-ink' },
};

export function sumOfCounts(counts: CallCounts): number {
  return callOutcomes.reduce((sum, outcome) => sum + counts[outcome], 0);
}

/** Those that occurred, or the usual four. */
export function shownOutcomes(counts: CallCounts): CallOutcome[] {
  return callOutcomes.filter((outcome) => outcome !== 'failed' || counts.failed > 0);
}

/** `309 succeeded, 352 limited`; `no calls`. */
export function describeCounts(counts: CallCounts): string {
  const parts = callOutcomes
    .filter((outcome) => counts[outcome] > 0)
    .map(
      (outcome) => `${formatCount(counts[outcome])} ${outcomeStyles[outcome].label.toLowerCase()}`,
    );
  return parts.length === 0 ? 'no calls' : parts.join(', ');
}
