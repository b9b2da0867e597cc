import { cn } from '#lib/class-names/cn.ts';
import { callOutcomes } from '#lib/contract/api-keys/call-outcomes.ts';
import type { CallCounts } from '#lib/contract/api-keys/usage.ts';
import { countOf } from '#lib/count.ts';
import { describeCounts, outcomeStyles, sumOfCounts } from './call-outcomes.ts';

type CallsSparklineProps = {
  /** Oldest first; empty if there were no calls. */
  hours: readonly CallCounts[];
};

/** The calls of 24 hours as small bars. Without calls, the line alone. */
export function CallsSparkline({ hours }: CallsSparklineProps) {
  const maximum = Math.max(1, ...hours.map(sumOfCounts));
  return (
    <span
      role="img"
      aria-label={describeHours(hours)}
      title={describeHours(hours)}
      className="flex h-6 w-24 items-end gap-px border-b border-line-strong"
    >
      {hours.map((counts, index) => (
        <span key={index} className="flex h-full w-[3px] flex-col-reverse">
          {callOutcomes
            .filter((outcome) => counts[outcome] > 0)
            .map((outcome) => (
              <span
                key={outcome}
                data-mark
                style={{ height: `${(counts[outcome] / maximum) * 100}%` }}
                className={cn('block min-h-0.5 print-color-exact', outcomeStyles[outcome].color)}
              />
            ))}
        </span>
      ))}
    </span>
  );
}

function describeHours(hours: readonly CallCounts[]): string {
  const totals = hours.reduce<CallCounts>(
    (sum, counts) => {
      const added = callOutcomes.map((outcome) => [outcome, sum[outcome] + counts[outcome]]);
      return Object.fromEntries(added) as CallCounts;
    },
    { succeeded: 0, client_error: 0, limited: 0, refused: 0, failed: 0 },
  );
  const sum = sumOfCounts(totals);
  if (sum === 0) return 'No calls in 24 hours';
  return `${countOf(sum, 'call')} in 24 hours: ${describeCounts(totals)}`;
}
