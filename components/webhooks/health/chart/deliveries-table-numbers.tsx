import type { WebhookStatistics } from '#lib/contract/webhooks/webhook-statistics.ts';
import { formatCount } from '#lib/count.ts';
import { formatExact } from '#lib/time.ts';
import { type ChartBucket, toChartBuckets } from './chart-buckets.ts';
import { CountedDeliveriesLink } from './counted-deliveries-link.tsx';
import { type BarPart, barParts, isSeries, partStyles } from './bar-parts.ts';

export type DeliveriesTableProps = {
  statistics: WebhookStatistics;
  /** From the URL: the webhook's uuid or id. */
  reference: string;
  /** Undefined: the reader's own time zone. */
  zone: string | undefined;
};

/** The rows of the table, one for each bucket, with links to the counted deliveries. */
export function DeliveriesTableNumbers({ statistics, reference, zone }: DeliveriesTableProps) {
  const buckets = toChartBuckets(statistics, zone);
  const columns = barParts.filter(
    (part) => isSeries(part) || buckets.some(({ counts }) => counts[part] > 0),
  );
  return (
    <table className="mt-1 w-full max-w-120 border-collapse">
      <caption className="pb-2 text-left text-micro">
        Deliveries made since {formatExact(new Date(statistics.since), zone)}
      </caption>
      <thead>
        <tr className="border-b border-line text-left text-micro">
          <th scope="col" className={`${cell} font-medium`}>
            When
          </th>
          {columns.map((part) => (
            <th key={part} scope="col" className={`${cell} text-right font-medium`}>
              {partStyles[part].label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {buckets.map((bucket) => (
          <tr key={bucket.start.toISOString()} className="border-b border-line text-ink-2">
            <th scope="row" className={`${cell} text-left font-normal`}>
              {bucket.span}
            </th>
            {columns.map((part) => (
              <td key={part} className={`${cell} text-right`}>
                <BucketCount bucket={bucket} part={part} reference={reference} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type BucketCountProps = { bucket: ChartBucket; part: BarPart; reference: string };

function BucketCount({ bucket, part, reference }: BucketCountProps) {
  const count = bucket.counts[part];
  if (count === 0 || !isSeries(part)) return formatCount(count);
  return (
    <CountedDeliveriesLink
      reference={reference}
      counted={{ status: part, from: bucket.start, to: bucket.end }}
      aria-label={`${formatCount(count)} ${partStyles[part].label.toLowerCase()}, ${bucket.span}`}
      className="link"
    >
      {formatCount(count)}
    </CountedDeliveriesLink>
  );
}

const cell = 'py-1 pr-4 last:pr-0';
