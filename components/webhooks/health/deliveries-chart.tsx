'use client';

import type { WebhookStatistics } from '#lib/contract/webhooks/webhook-statistics.ts';
import { cn } from '#lib/cn.ts';

import { axisLabels } from './axis-labels.ts';
import { BucketTooltip } from './bucket-tooltip.tsx';
import { countSeries, describeCounts, toChartBuckets } from './chart-buckets.ts';
import { chartMaximum } from './chart-maximum.ts';
import { DeliveriesBar } from './deliveries-bar.tsx';
import { statisticsWindows } from './statistics-windows.ts';
import { useActiveBar } from './use-active-bar.ts';

type DeliveriesChartProps = {
  statistics: WebhookStatistics;
  /** Undefined: the reader's own time zone. */
  zone: string | undefined;
};

/** A bar chart of deliveries over time. Pointer, touch and arrow keys show a bar's numbers. */
export function DeliveriesChart({ statistics, zone }: DeliveriesChartProps) {
  const buckets = toChartBuckets(statistics, zone);
  const { activeIndex, tabStop, barsProps, barProps } = useActiveBar(buckets.length);
  const maximum = chartMaximum(
    Math.max(...buckets.map(({ heights }) => heights.delivered + heights.retried + heights.failed)),
  );
  const { long, perBucket } = statisticsWindows[statistics.window];
  const activeBucket = activeIndex === null ? undefined : buckets[activeIndex];
  return (
    <div>
      <div className="relative">
        <Gridlines label={`${maximum.toLocaleString('en-GB')} ${perBucket}`} />
        <div
          {...barsProps}
          role="group"
          aria-label={`Deliveries over ${long}: ${describeCounts(countSeries(statistics.deliveries))}`}
          className="relative -mx-[1.5px] flex h-32 border-b border-line-strong max-sm:-mx-px max-sm:h-29"
        >
          {buckets.map((bucket, index) => (
            <DeliveriesBar
              // By index: when a new bucket begins, the focus stays at its place.
              key={index}
              bucket={bucket}
              maximum={maximum}
              isActive={index === activeIndex}
              tabIndex={index === tabStop ? 0 : -1}
              {...barProps(index)}
            />
          ))}
          {activeBucket && activeIndex !== null && (
            <BucketTooltip bucket={activeBucket} index={activeIndex} count={buckets.length} />
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
        <span className="absolute right-0">Now</span>
      </div>
    </div>
  );
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
