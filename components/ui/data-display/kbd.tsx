import { cn } from '#lib/class-names/cn.ts';

/** A key on the keyboard. */
export function Kbd({ children, className }: { children: string; className?: string }) {
  return (
    <kbd
      aria-hidden
      translate="no"
      className={cn(
        'inline-grid h-4.5 min-w-4.5 place-items-center rounded-1 bg-fill-active px-1 font-sans text-[0.6875rem] leading-none font-medium text-ink-3',
        className,
      )}
    >
      {children}
    </kbd>
  );
}
