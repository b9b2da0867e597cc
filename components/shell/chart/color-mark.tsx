import { cn } from '#lib/class-names/cn.ts';

/** A small square in the color of a part of a bar. */
export function ColorMark({ color }: { color: string }) {
  return (
    <span
      aria-hidden
      data-mark
      className={cn('size-2 shrink-0 rounded-[2px] print-color-exact', color)}
    />
  );
}
