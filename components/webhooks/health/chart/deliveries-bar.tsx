import { cn } from '#lib/class-names/cn.ts';

import type { ChartBucket } from './chart-buckets.ts';
import { CountedDeliveriesLink } from './counted-deliveries-link.tsx';
import { barParts, partStyles } from './bar-parts.ts';
import type { BarProps } from './use-active-bar.ts';

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
export function DeliveriesBar({
  reference,
  bucket,
  maximum,
  isActive,
  ...rest
}: DeliveriesBarProps) {
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
