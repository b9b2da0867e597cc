import type { WebhookStatistics } from '#lib/contract/webhooks/webhook-statistics.ts';

import { series, seriesStyles } from './series.ts';
import { SeriesMark } from './series-mark.tsx';

/** The colours of the chart and the number of attempts of each. */
export function AttemptsLegend({ statistics }: { statistics: WebhookStatistics }) {
  return (
    <ul className="mr-auto flex flex-wrap gap-x-4.5 gap-y-1 text-small text-ink-2">
      {series.map((one) => (
        <li key={one} className="flex items-center gap-[7px]">
          <SeriesMark series={one} />
          {seriesStyles[one].label}{' '}
          <span className="font-medium text-ink">{statistics[one].toLocaleString('en-GB')}</span>
        </li>
      ))}
    </ul>
  );
}
