import { cn } from '#lib/class-names/cn.ts';

export type ButtonLook = {
  variant?: keyof typeof variants | undefined;
  size?: keyof typeof sizes | undefined;
  /** As wide as its container. */
  block?: boolean | undefined;
};

export function buttonClass({
  variant = 'secondary',
  size = 'normal',
  block = false,
}: ButtonLook): string {
  return cn(base, variants[variant], sizes[size], block && 'w-full');
}

const base = cn(
  'inline-flex shrink-0 cursor-default items-center justify-center gap-1.5 border font-medium whitespace-nowrap select-none print:hidden',
  'no-underline transition-colors [&>svg:first-child]:-ml-0.5',
  'aria-disabled:border-transparent aria-disabled:bg-fill-active aria-disabled:text-ink-3 aria-disabled:[&>svg]:text-ink-3',
  'aria-expanded:bg-fill-active aria-expanded:text-ink',
);

const variants = {
  primary: 'border-transparent bg-accent-solid text-on-accent hover:bg-accent-solid-hover',
  secondary: cn(
    'border-line-strong bg-surface text-ink [&>svg:first-child]:text-ink-3',
    'hover:bg-[color-mix(in_oklch,var(--surface),var(--ink)_4%)] active:bg-[color-mix(in_oklch,var(--surface),var(--ink)_8%)]',
  ),
  ghost: 'border-transparent bg-transparent text-ink-2 hover:bg-fill-hover hover:text-ink',
  danger: 'border-transparent bg-bad-solid text-on-accent hover:bg-bad-solid-hover',
};

const sizes = {
  normal: 'h-control rounded-3 px-3 text-body',
  small: 'h-control-small rounded-[7px] px-2.5 text-small [&>svg]:icon-14',
  large: 'h-10 w-full rounded-3 px-3 text-body max-sm:h-11 pointer-coarse:h-11',
};
