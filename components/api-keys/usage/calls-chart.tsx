import { axisLabels, lastBucketLabel } from '#components/shell/chart/axis-labels.ts';
import { chartMaximum } from '#components/shell/chart/chart-maximum.ts';
import { statisticsWindows } from '#components/shell/chart/statistics-windows.ts';
import { useActiveBar } from '#components/shell/chart/use-active-bar.ts';
import { cn } from '#lib/class-names/cn.ts';
import { callOutcomes, type CallOutcome } from '#lib/contract/api-keys/call-outcomes.ts';
import type { ApiKeyUsage } from '#lib/contract/api-keys/usage.ts';
import { formatCount } from '#lib/count.ts';
import { formatSpan } from '#lib/time.ts';
import { describeCounts, outcomeStyles, shownOutcomes, sumOfCounts } from './call-outcomes.ts';

type CallsChartProps = {
  usage: ApiKeyUsage;
  /** Undefined: the reader's own time zone. */
  zone: string | undefined;
};

/** Calls over time. Pointer and touch show a bar's numbers; for keys, it is one slider. */
export function CallsChart({ usage, zone }: CallsChartProps) {
  const { buckets, bucket_seconds: seconds, window } = usage;
  const { activeIndex, chosenIndex, sliderProps, barsProps, barProps } = useActiveBar(
    buckets.length,
  );
  const maximum = chartMaximum(Math.max(...buckets.map(sumOfCounts)));
  const spanOf = (index: number) => {
    const start = new Date(buckets[index]?.start ?? 0);
    const span = formatSpan(start, new Date(start.getTime() + seconds * 1000), zone);
    return index === buckets.length - 1 ? `${span}, so far` : span;
  };
  const chosen = buckets[chosenIndex];
  const active = activeIndex === null ? undefined : buckets[activeIndex];
  return (
    <div>
      <div className="relative">
        <span className="absolute inset-x-0 top-0 border-t border-line pt-[3px] text-micro text-ink-3">
          {formatCount(maximum)} calls {bucketLengths[window]}
        </span>
        <span className="absolute inset-x-0 top-1/2 border-t border-line" />
        <div
          {...sliderProps}
          role="slider"
          tabIndex={0}
          aria-label={`Calls over ${statisticsWindows[window].long}`}
          aria-valuemin={1}
          aria-valuemax={buckets.length}
          aria-valuenow={chosenIndex + 1}
          aria-valuetext={chosen && `${spanOf(chosenIndex)}: ${describeCounts(chosen)}`}
          className="pointer-events-none absolute inset-0 rounded-1"
        />
        <div {...barsProps} className="relative -mx-[1.5px] max-sm:-mx-px">
          <div aria-hidden className="flex h-32 border-b border-line-strong max-sm:h-29">
            {buckets.map((bucket, index) => (
              <div
                // By index: when a new bucket begins, the bars stay at their places.
                key={index}
                {...barProps(index)}
                className={cn(
                  'flex min-w-0 flex-1 flex-col-reverse gap-px rounded-[2px] px-[1.5px] max-sm:px-px',
                  index === activeIndex && 'bg-fill-active',
                )}
              >
                {callOutcomes
                  .filter((outcome) => bucket[outcome] > 0)
                  .map((outcome) => (
                    <span
                      key={outcome}
                      data-mark
                      style={{ height: `${(bucket[outcome] / maximum) * 100}%` }}
                      className={cn(
                        'block min-h-0.5 shrink-0 transition-[height] duration-(--base) print-color-exact last:rounded-t-[1.5px]',
                        outcomeStyles[outcome].color,
                        index === buckets.length - 1 && 'hatched',
                      )}
                    />
                  ))}
              </div>
            ))}
          </div>
          {active && activeIndex !== null && (
            <Tooltip
              title={spanOf(activeIndex)}
              counts={active}
              // Beside the bar, on the side with more space.
              left={activeIndex < buckets.length / 2 ? (activeIndex + 1) / buckets.length : null}
              right={
                activeIndex < buckets.length / 2
                  ? null
                  : (buckets.length - activeIndex) / buckets.length
              }
            />
          )}
        </div>
      </div>
      <div aria-hidden className="relative mt-1.5 h-4 text-micro text-ink-3">
        {axisLabels(usage, zone).map(({ index, text, isMinor }) => (
          <span
            key={index}
            style={{ left: `${(index / buckets.length) * 100}%` }}
            className={cn('absolute whitespace-nowrap', isMinor && 'max-sm:hidden')}
          >
            {text}
          </span>
        ))}
        <span className="absolute right-0 text-ink-2">{lastBucketLabel(usage, zone)}</span>
      </div>
    </div>
  );
}

const bucketLengths = { '24h': 'an hour', '7d': 'in 6 hours', '30d': 'a day' } as const;

type TooltipProps = {
  title: string;
  counts: ApiKeyUsage['totals'];
  left: number | null;
  right: number | null;
};

function Tooltip({ title, counts, left, right }: TooltipProps) {
  return (
    <div
      role="tooltip"
      style={left === null ? { right: `${(right ?? 0) * 100}%` } : { left: `${left * 100}%` }}
      className="pointer-events-none absolute -top-2 z-(--z-sticky) w-max px-2 print:hidden"
    >
      <div className="rounded-3 bg-overlay px-2.5 py-2 text-micro text-ink-2 shadow-menu">
        <p className="mb-[3px] font-medium text-ink">{title}</p>
        {shownOutcomes(counts).map((outcome) => (
          <p key={outcome} className="flex items-center gap-1.5">
            <OutcomeMark outcome={outcome} />
            {outcomeStyles[outcome].label}{' '}
            <span className="ml-auto pl-5 text-ink">{formatCount(counts[outcome])}</span>
          </p>
        ))}
      </div>
    </div>
  );
}

/** The colors of the chart, with the number of calls of each. */
export function CallsLegend({ totals }: { totals: ApiKeyUsage['totals'] }) {
  return (
    <ul className="mr-auto flex flex-wrap gap-x-4.5 gap-y-1 text-small text-ink-2">
      {shownOutcomes(totals).map((outcome) => (
        <li key={outcome} className="flex min-h-6 items-center gap-[7px]">
          <OutcomeMark outcome={outcome} />
          {outcomeStyles[outcome].label}{' '}
          <span className="font-medium text-ink">{formatCount(totals[outcome])}</span>
        </li>
      ))}
    </ul>
  );
}

function OutcomeMark({ outcome }: { outcome: CallOutcome }) {
  return (
    <span
      aria-hidden
      data-mark
      className={cn(
        'size-2 shrink-0 rounded-[2px] print-color-exact',
        outcomeStyles[outcome].color,
      )}
    />
  );
}
