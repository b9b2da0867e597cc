import { useId } from 'react';
import { useFocusAfterNavigation } from '#components/shell/page/navigation-focus.tsx';
import { useFullPath } from '#components/ui/navigation/base-path.ts';
import { useNavigation } from '#components/ui/navigation/navigation.tsx';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import { cn } from '#lib/class-names/cn.ts';
import type { WebhookStatistics } from '#lib/contract/webhooks/webhook-statistics.ts';
import { formatCount } from '#lib/count.ts';
import { linkedDeliveriesPath } from '../../deliveries/linked-deliveries.ts';
import { deliveriesHeadingId } from '../../webhook-path.ts';
import { axisLabels, lastBucketLabel } from '#components/shell/chart/axis-labels.ts';
import { barParts, partStyles } from './bar-parts.ts';
import {
  type ChartBucket,
  describeBucketLength,
  describeCounts,
  toChartBuckets,
} from './chart-buckets.ts';
import { chartMaximum } from '#components/shell/chart/chart-maximum.ts';
import { CountedDeliveriesLink } from './counted-deliveries-link.tsx';
import { statisticsWindows } from '#components/shell/chart/statistics-windows.ts';
import { type BarProps, useActiveBar } from '#components/shell/chart/use-active-bar.ts';

type DeliveriesChartProps = {
  statistics: WebhookStatistics;
  /** From the URL: the webhook's uuid or id. */
  reference: string;
  /** Undefined: the reader's own time zone. */
  zone: string | undefined;
};

/**
 * A bar chart of deliveries over time. Pointer and touch show a bar's numbers; for keys and screen
 * readers the bars are one slider, and a table has the same numbers.
 */
export function DeliveriesChart({ statistics, reference, zone }: DeliveriesChartProps) {
  const hintId = useId();
  const buckets = toChartBuckets(statistics, zone);
  const showDeliveries = useShowDeliveries(reference);
  const { activeIndex, chosenIndex, sliderProps, barsProps, barProps } = useActiveBar(
    buckets.length,
    (index) => showDeliveries(buckets[index]),
  );
  const maximum = chartMaximum(
    Math.max(...buckets.map(({ heights }) => sum(Object.values(heights)))),
  );
  const activeBucket = activeIndex === null ? undefined : buckets[activeIndex];
  const chosenBucket = buckets[chosenIndex];
  return (
    <div>
      <div className="relative">
        <Gridlines
          label={`${formatCount(maximum)} ${describeBucketLength(statistics.bucket_seconds)}`}
        />
        <div
          {...sliderProps}
          role="slider"
          tabIndex={0}
          aria-label={`Deliveries over ${statisticsWindows[statistics.window].long}`}
          aria-describedby={hintId}
          aria-valuemin={1}
          aria-valuemax={buckets.length}
          aria-valuenow={chosenIndex + 1}
          aria-valuetext={
            chosenBucket && `${chosenBucket.span}: ${describeCounts(chosenBucket.counts)}`
          }
          className="pointer-events-none absolute inset-0 rounded-1"
        />
        <p id={hintId} hidden>
          Arrow keys go from bar to bar. Enter shows a bar’s deliveries.
        </p>
        <div {...barsProps} className="relative -mx-[1.5px] max-sm:-mx-px">
          <div aria-hidden className="flex h-32 border-b border-line-strong max-sm:h-29">
            {buckets.map((bucket, index) => (
              <DeliveriesBar
                // By index: when a new bucket begins, the bars stay at their places.
                key={index}
                reference={reference}
                bucket={bucket}
                maximum={maximum}
                isActive={index === activeIndex}
                {...barProps(index)}
              />
            ))}
          </div>
          {activeBucket && activeIndex !== null && (
            <LazyBucketTooltip
              shouldLoad
              bucket={activeBucket}
              index={activeIndex}
              count={buckets.length}
            />
          )}
        </div>
      </div>
      <div aria-hidden className="relative mt-1.5 h-4 text-micro text-ink-3">
        {axisLabels(statistics, zone).map(({ index, text, isMinor }) => (
          <span
            key={index}
            style={{ left: `${(index / buckets.length) * 100}%` }}
            className={cn('absolute whitespace-nowrap', isMinor && 'max-sm:hidden')}
          >
            {text}
          </span>
        ))}
        <span className="absolute right-0 text-ink-2">{lastBucketLabel(statistics, zone)}</span>
      </div>
    </div>
  );
}

const LazyBucketTooltip = lazyComponent(
  async () => (await import('./bucket-tooltip.tsx')).BucketTooltip,
);

/** Goes to the deliveries of a bucket, as its bar does. */
function useShowDeliveries(reference: string): (bucket: ChartBucket | undefined) => void {
  const { goTo } = useNavigation();
  const fullPath = useFullPath();
  const focusAfterNavigation = useFocusAfterNavigation();
  return (bucket) => {
    if (bucket === undefined) return;
    const { start, end } = bucket;
    const page = linkedDeliveriesPath(reference, { status: 'any', from: start, to: end });
    focusAfterNavigation(deliveriesHeadingId, page);
    goTo(fullPath(page), 'push', 'tab');
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Two lines: one at the top, with its value, and one at half the height. */
function Gridlines({ label }: { label: string }) {
  return (
    <>
      <span className="absolute inset-x-0 top-0 border-t border-line pt-[3px] text-micro text-ink-3">
        {label}
      </span>
      <span className="absolute inset-x-0 top-1/2 border-t border-line" />
    </>
  );
}

type DeliveriesBarProps = BarProps & {
  /** From the URL: the webhook's uuid or id. */
  reference: string;
  bucket: ChartBucket;
  /** The number at the top of the chart. */
  maximum: number;
  isActive: boolean;
};

/**
 * The deliveries of one bucket as a bar, which leads a pointer to them. Its clickable area has the
 * full height, so that low bars are easy to hit. Keys reach it through the chart's slider.
 */
function DeliveriesBar({ reference, bucket, maximum, isActive, ...rest }: DeliveriesBarProps) {
  const { start, end, heights, isFilling } = bucket;
  return (
    <CountedDeliveriesLink
      {...rest}
      reference={reference}
      counted={{ status: 'any', from: start, to: end }}
      tabIndex={-1}
      draggable={false}
      className={cn(
        'flex min-w-0 flex-1 cursor-default flex-col-reverse gap-px rounded-[2px] px-[1.5px] max-sm:px-px',
        isActive && 'bg-fill-active',
      )}
    >
      {barParts
        .filter((part) => heights[part] > 0)
        .map((part) => (
          <span
            key={part}
            data-mark
            style={{ height: `${(heights[part] / maximum) * 100}%` }}
            className={cn(
              'block min-h-0.5 shrink-0 transition-[height] duration-(--base) print-color-exact last:rounded-t-[1.5px]',
              partStyles[part].color,
              isFilling && 'hatched',
            )}
          />
        ))}
    </CountedDeliveriesLink>
  );
}
