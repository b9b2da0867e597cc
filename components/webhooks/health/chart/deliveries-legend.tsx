// Renders rarely. Compiled for memoization, the file would be larger.
'use no memo';

import type { WebhookStatistics } from '#lib/contract/webhooks/webhook-statistics.ts';
import { formatCount } from '#lib/count.ts';

import { countParts } from './chart-buckets.ts';
import { CountedDeliveriesLink } from './counted-deliveries-link.tsx';
import { partStyles, series } from './bar-parts.ts';
import { PartMark } from './part-mark.tsx';

type DeliveriesLegendProps = {
  statistics: WebhookStatistics;
  /** From the URL: the webhook's uuid or id. */
  reference: string;
};

/** The colors of the chart and the number of deliveries of each, which leads to them. */
export function DeliveriesLegend({ statistics, reference }: DeliveriesLegendProps) {
  const counts = countParts(statistics.deliveries);
  return (
    <ul className="mr-auto flex flex-wrap gap-x-4.5 gap-y-1 text-small text-ink-2">
      {series.map((one) => (
        <li key={one}>
          <CountedDeliveriesLink
            reference={reference}
            counted={{ status: one, from: new Date(statistics.since), to: null }}
            className="group flex min-h-6 cursor-default text-ink-2 no-underline items-center gap-[7px] rounded-1 pointer-coarse:min-h-11"
          >
            <PartMark part={one} />
            {partStyles[one].label}{' '}
            <span className="font-medium text-ink group-hover:underline">
              {formatCount(counts[one])}
            </span>
          </CountedDeliveriesLink>
        </li>
      ))}
      {counts.other > 0 && (
        <li className="flex min-h-6 items-center gap-[7px] pointer-coarse:min-h-11">
          <PartMark part="other" />
          {partStyles.other.label}{' '}
          <span className="font-medium text-ink">{formatCount(counts.other)}</span>
        </li>
      )}
    </ul>
  );
}
