import { cn } from '#lib/cn.ts';

import { type Series, seriesStyles } from './series.ts';

/** A small square in the colour of a series. */
export function SeriesMark({ series }: { series: Series }) {
  return (
    <span
      aria-hidden
      data-mark
      className={cn('size-2 shrink-0 rounded-[2px] print-color-exact', seriesStyles[series].colour)}
    />
  );
}
