// A hover renders some dozen small elements. Compiled for memoization, the file would be larger.
'use no memo';

import { type ReactNode, useId } from 'react';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import { cn } from '#lib/class-names/cn.ts';
import type { WebhookStatistics } from '#lib/contract/webhooks/webhook-statistics.ts';
import { formatCount } from '#lib/count.ts';
import { axisLabels, bucketSpan, lastBucketLabel } from './axis-labels.ts';
import type { BarPart } from './bar-tooltip.tsx';
import { chartMaximum } from './chart-maximum.ts';
import { statisticsWindows } from './statistics-windows.ts';
import { type BarProps as PointerProps, useActiveBar } from './use-active-bar.ts';

/** For the element that is a bar: its clickable area has the full height of the chart. */
export type BarProps = PointerProps & { className: string; children: ReactNode };

type BarChartProps = {
  statistics: Pick<WebhookStatistics, 'window' | 'bucket_seconds'> & {
    buckets: readonly { start: string }[];
  };
  /** Undefined: the reader's own time zone. */
  zone: string | undefined;
  noun: 'Calls' | 'Deliveries';
  /** What a bar counts: "calls an hour". */
  unit: string;
  /** A bar for each bucket: its parts from bottom to top, and its numbers in words. */
  bars: readonly { parts: readonly BarPart[]; text: string }[];
  /** For bars that lead to what they count. */
  links?: {
    hint: string;
    onFollow: (index: number) => void;
    render: (index: number, props: BarProps) => ReactNode;
  };
};

/** A bar chart over time, whose bars are one slider for keys and screen readers. */
export function BarChart(props: BarChartProps) {
  const { statistics, zone, noun, unit, bars, links } = props;
  const hintId = useId();
  const count = bars.length;
  const { activeIndex, chosenIndex, sliderProps, barsProps, barProps } = useActiveBar(
    count,
    links?.onFollow,
  );
  const maximum = chartMaximum(Math.max(...bars.map(heightOf)));
  const chosen = bars[chosenIndex];
  const active = activeIndex === null ? undefined : bars[activeIndex];
  return (
    <div>
      <div className="relative">
        <span className="absolute inset-x-0 top-0 border-t border-line pt-[3px] text-micro text-ink-3">
          {formatCount(maximum)} {unit}
        </span>
        <span className="absolute inset-x-0 top-1/2 border-t border-line" />
        <div
          {...sliderProps}
          role="slider"
          tabIndex={0}
          aria-label={`${noun} over ${statisticsWindows[statistics.window].long}`}
          aria-describedby={links && hintId}
          aria-valuemin={1}
          aria-valuemax={count}
          aria-valuenow={chosenIndex + 1}
          aria-valuetext={chosen && `${bucketSpan(statistics, chosenIndex, zone)}: ${chosen.text}`}
          className="pointer-events-none absolute inset-0 rounded-1"
        />
        {links && (
          <p id={hintId} hidden>
            {links.hint}
          </p>
        )}
        <div {...barsProps} className="relative -mx-[1.5px] max-sm:-mx-px">
          <div aria-hidden className="flex h-32 border-b border-line-strong max-sm:h-29">
            {bars.map(({ parts }, index) => (
              <Bar
                // By index: when a new bucket begins, the bars stay at their places.
                key={index}
                {...barProps(index)}
                render={links && ((bar) => links.render(index, bar))}
                className={cn(
                  'flex min-w-0 flex-1 flex-col-reverse gap-px rounded-[2px] px-[1.5px] max-sm:px-px',
                  index === activeIndex && 'bg-fill-active',
                )}
              >
                {parts
                  .filter(({ height }) => height > 0)
                  .map(({ color, height }) => (
                    <span
                      key={color}
                      data-mark
                      style={{ height: `${(height / maximum) * 100}%` }}
                      className={cn(
                        'block min-h-0.5 shrink-0 transition-[height] duration-(--base) print-color-exact last:rounded-t-[1.5px]',
                        color,
                        index === count - 1 && 'hatched',
                      )}
                    />
                  ))}
              </Bar>
            ))}
          </div>
          {active && activeIndex !== null && (
            <LazyTooltip
              shouldLoad
              title={bucketSpan(statistics, activeIndex, zone)}
              parts={active.parts}
              index={activeIndex}
              count={count}
            />
          )}
        </div>
      </div>
      <div aria-hidden className="relative mt-1.5 h-4 text-micro text-ink-3">
        {axisLabels(statistics, zone).map(({ index, text, isMinor }) => (
          <span
            key={index}
            style={{ left: `${(index / count) * 100}%` }}
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

const LazyTooltip = lazyComponent(async () => (await import('./bar-tooltip.tsx')).BarTooltip);

function heightOf({ parts }: BarChartProps['bars'][number]): number {
  return parts.reduce((sum, { height }) => sum + height, 0);
}

type RenderedBarProps = BarProps & { render: ((props: BarProps) => ReactNode) | undefined };

function Bar({ render, ...props }: RenderedBarProps) {
  return render ? render(props) : <div {...props} />;
}
