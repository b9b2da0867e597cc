import { ChevronRight } from 'lucide-react';

import type { WebhookStatistics } from '#lib/contract/webhooks/webhook-statistics.ts';
import { formatExact } from '#lib/time.ts';

import { type ChartBucket, toChartBuckets } from './chart-buckets.ts';
import { CountedDeliveriesLink } from './counted-deliveries-link.tsx';
import { type Series, series, seriesStyles } from './series.ts';

type DeliveriesTableProps = {
  statistics: WebhookStatistics;
  /** Undefined: the reader's own time zone. */
  zone: string | undefined;
};

/** The data of the chart as a table. */
export function DeliveriesTable({ statistics, zone }: DeliveriesTableProps) {
  return (
    <div className="mt-1 grid grid-cols-[minmax(0,1fr)] text-small text-ink-3">
      <details className="group col-start-1 row-start-1">
        <summary className="flex min-h-control-small w-fit cursor-default list-none items-center gap-1 rounded-2 pr-1.5 select-none hover:text-ink [&::-webkit-details-marker]:hidden">
          <ChevronRight aria-hidden className="icon-14 group-open:rotate-90" />
          As a table
        </summary>
        <table className="mt-1 w-full max-w-120 border-collapse">
          <caption className="pb-2 text-left text-micro">
            Deliveries made since {formatExact(new Date(statistics.since), zone)}
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
              <tr key={bucket.start.toISOString()} className="border-b border-line text-ink-2">
                <th scope="row" className={`${CELL} text-left font-normal`}>
                  {bucket.span}
                </th>
                {series.map((one) => (
                  <td key={one} className={`${CELL} text-right`}>
                    <BucketCount bucket={bucket} series={one} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
      <p className="col-start-1 row-start-1 flex min-h-control-small items-center self-start justify-self-end max-sm:row-start-2 max-sm:min-h-0 max-sm:justify-self-start">
        Counted by when they were made, tests included. What was delivered after a retry counts as
        both.
      </p>
    </div>
  );
}

function BucketCount({ bucket, series: one }: { bucket: ChartBucket; series: Series }) {
  const count = bucket.counts[one];
  if (count === 0) return '0';
  return (
    <CountedDeliveriesLink
      counted={{ status: one, from: bucket.start, to: bucket.end }}
      aria-label={`${count.toLocaleString('en-GB')} ${seriesStyles[one].label.toLowerCase()}, ${bucket.span}`}
      className="link"
    >
      {count.toLocaleString('en-GB')}
    </CountedDeliveriesLink>
  );
}

const CELL = 'py-1 pr-4 last:pr-0';
