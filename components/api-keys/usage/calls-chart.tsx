import { BarChart } from '#components/shell/chart/bar-chart.tsx';
import { ColorMark } from '#components/shell/chart/color-mark.tsx';
import type { ApiKeyUsage } from '#lib/contract/api-keys/usage.ts';
import { formatCount } from '#lib/count.ts';
import { describeCounts, outcomeStyles, shownOutcomes } from './call-outcomes.ts';

type CallsChartProps = {
  usage: ApiKeyUsage;
  /** Undefined: the reader's own time zone. */
  zone: string | undefined;
};

/** The calls over time. */
export function CallsChart({ usage, zone }: CallsChartProps) {
  return (
    <BarChart
      statistics={usage}
      zone={zone}
      noun="Calls"
      unit={`calls ${bucketLengths[usage.window]}`}
      bars={usage.buckets.map((counts) => ({
        parts: shownOutcomes(counts).map((outcome) => ({
          ...outcomeStyles[outcome],
          count: counts[outcome],
          height: counts[outcome],
        })),
        text: describeCounts(counts),
      }))}
    />
  );
}

const bucketLengths = { '24h': 'an hour', '7d': 'in 6 hours', '30d': 'a day' } as const;

/** The colors of the chart, with the number of calls of each. */
export function CallsLegend({ totals }: { totals: ApiKeyUsage['totals'] }) {
  return (
    <ul className="mr-auto flex flex-wrap gap-x-4.5 gap-y-1 text-small text-ink-2">
      {shownOutcomes(totals).map((outcome) => (
        <li key={outcome} className="flex min-h-6 items-center gap-[7px]">
          <ColorMark color={outcomeStyles[outcome].color} />
          {outcomeStyles[outcome].label}{' '}
          <span className="font-medium text-ink">{formatCount(totals[outcome])}</span>
        </li>
      ))}
    </ul>
  );
}
