import type { ComponentProps } from 'react';

import { cn } from '#lib/cn.ts';

import type { ChartBucket } from './chart-buckets.ts';
import { series, seriesStyles } from './series.ts';

type AttemptsBarProps = ComponentProps<'div'> & {
  bucket: ChartBucket;
  /** The number at the top of the chart. */
  maximum: number;
  isActive: boolean;
};

/**
 * The attempts of one bucket as a bar. Its clickable area has the full height, so that low bars are
 * easy to hit.
 */
export function AttemptsBar({ bucket, maximum, isActive, ...rest }: AttemptsBarProps) {
  const { span, delivered, failed, isFilling } = bucket;
  return (
    <div
      {...rest}
      role="img"
      aria-label={`${span}: ${delivered.toLocaleString('en-GB')} delivered, ${failed.toLocaleString('en-GB')} failed`}
      className={cn(
        'flex min-w-0 flex-1 flex-col-reverse gap-px rounded-[2px] px-[1.5px] focus-visible:outline-offset-0 max-sm:px-px',
        isActive && 'bg-fill-active',
      )}
    >
      {series
        .filter((one) => bucket[one] > 0)
        .map((one) => (
          <span
            key={one}
            data-mark
            style={{ height: `${(bucket[one] / maximum) * 100}%` }}
            className={cn(
              'block min-h-0.5 shrink-0 transition-[height] duration-(--base) print-color-exact last:rounded-t-[1.5px]',
              seriesStyles[one].colour,
              isFilling && 'hatched',
            )}
          />
        ))}
    </div>
  );
}
