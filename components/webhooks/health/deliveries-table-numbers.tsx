import type { WebhookStatistics } from '#lib/contract/webhooks/webhook-statistics.ts';
import { formatExact } from '#lib/time.ts';

import { type ChartBucket, toChartBuckets } from './chart-buckets.ts';
import { CountedDeliveriesLink } from './counted-deliveries-link.tsx';
import { type Series, series, seriesStyles } from './series.ts';

export type DeliveriesTableProps = {
  statistics: WebhookStatistics;
  /** From the URL: the webhook's uuid or id. */
  reference: string;
  /** Undefined: the reader's own time zone. */
  zone: string | undefined;
};

/** The rows of the table: a bucket each, with links to what is counted. */
export function DeliveriesTableNumbers({ statistics, reference, zone }: DeliveriesTableProps) {
  return (
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
                <BucketCount bucket={bucket} series={one} reference={reference} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type BucketCountProps = { bucket: ChartBucket; series: Series; reference: string };

function BucketCount({ bucket, series: one, reference }: BucketCountProps) {
  const count = bucket.counts[one];
  if (count === 0) return '0';
  return (
    <CountedDeliveriesLink
      reference={reference}
      counted={{ status: one, from: bucket.start, to: bucket.end }}
      aria-label={`${count.toLocaleString('en-GB')} ${seriesStyles[one].label.toLowerCase()}, ${bucket.span}`}
      className="link"
    >
      {count.toLocaleString('en-GB')}
    </CountedDeliveriesLink>
  );
}

const CELL = 'py-1 pr-4 last:pr-0';
