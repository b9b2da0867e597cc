import type { WebhookStatistics } from '#lib/contract/webhooks/webhook-statistics.ts';

import { countSeries } from './chart-buckets.ts';
import { CountedDeliveriesLink } from './counted-deliveries-link.tsx';
import { series, seriesStyles } from './series.ts';
import { SeriesMark } from './series-mark.tsx';

/** The colours of the chart and the number of deliveries of each, which leads to them. */
export function DeliveriesLegend({ statistics }: { statistics: WebhookStatistics }) {
  const counts = countSeries(statistics.deliveries);
  return (
    <ul className="mr-auto flex flex-wrap gap-x-4.5 gap-y-1 text-small text-ink-2">
      {series.map((one) => (
        <li key={one}>
          <CountedDeliveriesLink
            counted={{ status: one, from: new Date(statistics.since), to: null }}
            className="group flex min-h-6 cursor-default items-center gap-[7px] rounded-1 pointer-coarse:min-h-11"
          >
            <SeriesMark series={one} />
            {seriesStyles[one].label}{' '}
            <span className="font-medium text-ink group-hover:underline">
              {counts[one].toLocaleString('en-GB')}
            </span>
          </CountedDeliveriesLink>
        </li>
      ))}
    </ul>
  );
}
