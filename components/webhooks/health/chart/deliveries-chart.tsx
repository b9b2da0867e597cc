import { BarChart } from '#components/shell/chart/bar-chart.tsx';
import type { BarPart } from '#components/shell/chart/bar-tooltip.tsx';
import { useFocusAfterNavigation } from '#components/shell/page/navigation-focus.tsx';
import { useFullPath } from '#components/ui/navigation/base-path.ts';
import { useNavigation } from '#components/ui/navigation/navigation.tsx';
import type { WebhookStatistics } from '#lib/contract/webhooks/webhook-statistics.ts';
import { formatCount } from '#lib/count.ts';
import { type LinkedDeliveries, linkedDeliveriesPath } from '../../deliveries/linked-deliveries.ts';
import { deliveriesHeadingId } from '../../webhook-path.ts';
import { partStyles } from './bar-parts.ts';
import {
  type ChartBucket,
  describeBucketLength,
  describeCounts,
  shownParts,
  toChartBuckets,
} from './chart-buckets.ts';
import { CountedDeliveriesLink } from './counted-deliveries-link.tsx';

type DeliveriesChartProps = {
  statistics: WebhookStatistics;
  /** From the URL: the webhook's uuid or id. */
  reference: string;
  /** Undefined: the reader's own time zone. */
  zone: string | undefined;
};

/** The deliveries over time. A bar leads to its deliveries; a table has the same numbers. */
export function DeliveriesChart({ statistics, reference, zone }: DeliveriesChartProps) {
  const buckets = toChartBuckets(statistics, zone);
  const showDeliveries = useShowDeliveries(reference);
  return (
    <BarChart
      statistics={statistics}
      zone={zone}
      noun="Deliveries"
      unit={describeBucketLength(statistics.bucket_seconds)}
      bars={buckets.map((bucket) => ({
        parts: partsOf(bucket),
        text: describeCounts(bucket.counts),
      }))}
      links={{
        hint: 'Arrow keys go from bar to bar. Enter shows a bar’s deliveries.',
        onFollow: (index) => showDeliveries(countedIn(buckets[index])),
        // Keys reach the deliveries through the chart's slider.
        render: (index, { className, ...bar }) => (
          <CountedDeliveriesLink
            {...bar}
            reference={reference}
            counted={countedIn(buckets[index])}
            tabIndex={-1}
            draggable={false}
            className={`${className} cursor-default`}
          />
        ),
      }}
    />
  );
}

function countedIn(bucket: ChartBucket | undefined): LinkedDeliveries {
  return { status: 'any', from: bucket?.start ?? new Date(0), to: bucket?.end ?? null };
}

function partsOf({ counts, heights }: ChartBucket): BarPart[] {
  // A delivery that succeeded after a retry counts as both, and is drawn once.
  const both = counts.delivered - heights.delivered;
  return shownParts(counts).map((part) => {
    const { label, color } = partStyles[part];
    const isBoth = part === 'retried' && both > 0;
    return {
      label: isBoth ? `${label}, ${formatCount(both)} of them delivered` : label,
      color,
      count: counts[part],
      height: heights[part],
    };
  });
}

/** Goes to the deliveries of a bucket, as its bar does. */
function useShowDeliveries(reference: string): (counted: LinkedDeliveries) => void {
  const { goTo } = useNavigation();
  const fullPath = useFullPath();
  const focusAfterNavigation = useFocusAfterNavigation();
  return (counted) => {
    const page = linkedDeliveriesPath(reference, counted);
    focusAfterNavigation(deliveriesHeadingId, page);
    goTo(fullPath(page), 'push', 'tab');
  };
}
