import { ChevronRight } from 'lucide-react';

import type { WebhookStatistics } from '#lib/contract/webhooks/webhook-statistics.ts';
import { formatExact } from '#lib/time.ts';

import { toChartBuckets } from './chart-buckets.ts';
import { series, seriesStyles } from './series.ts';

type AttemptsTableProps = {
  statistics: WebhookStatistics;
  /** Undefined: the reader's own time zone. */
  zone: string | undefined;
};

/** The data of the chart as a table. */
export function AttemptsTable({ statistics, zone }: AttemptsTableProps) {
  return (
    <div className="mt-1 grid grid-cols-[minmax(0,1fr)] text-small text-ink-3">
      <details className="group col-start-1 row-start-1">
        <summary className="flex min-h-control-small w-fit cursor-default list-none items-center gap-1 rounded-2 pr-1.5 select-none hover:text-ink [&::-webkit-details-marker]:hidden">
          <ChevronRight aria-hidden className="icon-14 group-open:rotate-90" />
          As a table
        </summary>
        <table className="mt-1 w-full max-w-120 border-collapse">
          <caption className="pb-2 text-left text-micro">
            Attempts since {formatExact(new Date(statistics.since), zone)}
          </caption>
          <thead>
            <tr className="border-b border-line text-left text-micro">
              <th scope="col" className={`${CELL} font-medium`}>
                When
              </th>
              {series.map((one) => (
                <th key={one} scope="col" className={`${CELL} text-right font-medium`}>
                  {seriesStyles[one].label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {toChartBuckets(statistics, zone).map((bucket) => (
              <tr key={bucket.start} className="border-b border-line text-ink-2">
                <th scope="row" className={`${CELL} text-left font-normal`}>
                  {bucket.span}
                </th>
                {series.map((one) => (
                  <td key={one} className={`${CELL} text-right`}>
                    {bucket[one].toLocaleString('en-GB')}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
      <p className="col-start-1 row-start-1 flex min-h-control-small items-center self-start justify-self-end max-[22.5rem]:row-start-2 max-[22.5rem]:min-h-0 max-[22.5rem]:justify-self-start">
        Each try counts, tests included.
      </p>
    </div>
  );
}

const CELL = 'py-1 pr-4 last:pr-0';
