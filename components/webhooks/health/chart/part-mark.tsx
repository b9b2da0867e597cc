import { cn } from '#lib/class-names/cn.ts';
import { type BarPart, partStyles } from './bar-parts.ts';

/** A small square in the color of a part of a bar. */
export function PartMark({ part }: { part: BarPart }) {
  return (
    <span
      aria-hidden
      data-mark
      className={cn('size-2 shrink-0 rounded-[2px] print-color-exact', partStyles[part].color)}
    />
  );
}
