import { type ComponentProps, useRef } from 'react';

import { cn } from '#lib/cn.ts';

import { useDeliveriesLink } from '../deliveries/use-deliveries-link.ts';
import { type ChartBucket, describeCounts } from './chart-buckets.ts';
import { series, seriesStyles } from './series.ts';

type DeliveriesBarProps = Omit<ComponentProps<'a'>, 'href' | 'onClick'> & {
  bucket: ChartBucket;
  /** The number at the top of the chart. */
  maximum: number;
  isActive: boolean;
};

/**
 * The deliveries of one bucket as a bar, which leads to them. Its clickable area has the full
 * height, so that low bars are easy to hit. The first tap of a finger shows its numbers alone.
 */
export function DeliveriesBar({ bucket, maximum, isActive, ...rest }: DeliveriesBarProps) {
  const { span, start, end, counts, heights, isFilling } = bucket;
  const isFirstTap = useRef(false);
  const link = useDeliveriesLink({ status: 'any', from: start, to: end });
  return (
    <a
      {...rest}
      href={link.href}
      onPointerDown={({ pointerType }) => {
        isFirstTap.current = pointerType === 'touch' && !isActive;
      }}
      onClick={(event) => {
        if (isFirstTap.current) {
          isFirstTap.current = false;
          event.preventDefault();
          // Not every browser focuses a link on touch.
          event.currentTarget.focus();
        }
        link.onClick(event);
      }}
      aria-label={`${span}: ${describeCounts(counts)}`}
      draggable={false}
      className={cn(
        'flex min-w-0 flex-1 cursor-default flex-col-reverse gap-px rounded-[2px] px-[1.5px] focus-visible:outline-offset-0 max-sm:px-px',
        isActive && 'bg-fill-active',
      )}
    >
      {series
        .filter((one) => heights[one] > 0)
        .map((one) => (
          <span
            key={one}
            data-mark
            style={{ height: `${(heights[one] / maximum) * 100}%` }}
            className={cn(
              'block min-h-0.5 shrink-0 transition-[height] duration-(--base) print-color-exact last:rounded-t-[1.5px]',
              seriesStyles[one].colour,
              isFilling && 'hatched',
            )}
          />
        ))}
    </a>
  );
}
