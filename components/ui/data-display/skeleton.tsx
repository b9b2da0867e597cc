import { cn } from '#lib/class-names/cn.ts';

/** A gray bar in place of a value that is loading. */
export function Skeleton({ width, isSecond = false }: { width: number; isSecond?: boolean }) {
  // As high as the line of text: 20 px, or 16 and the 2 above it.
  return (
    <Bar width={width} className={isSecond ? 'mt-[11px] mb-1 h-2 opacity-60' : 'my-[5px] h-2.5'} />
  );
}

export function Bar({ width, className }: { width: number; className: string }) {
  return (
    <span
      className={cn(
        'block max-w-full animate-reveal rounded-1 bg-fill-track forced-colors:bg-[GrayText]',
        className,
      )}
      style={{ width: `${width / 16}rem` }}
    />
  );
}
