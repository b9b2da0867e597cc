import { cva, type VariantProps } from 'class-variance-authority';

export const buttonClass = cva(
  [
    'inline-flex shrink-0 cursor-default items-center justify-center gap-1.5 border font-medium whitespace-nowrap select-none',
    'no-underline transition-colors [&>svg:first-child]:-ml-0.5',
    'aria-disabled:border-transparent aria-disabled:bg-fill-active aria-disabled:text-ink-3 aria-disabled:[&>svg]:text-ink-3',
    'aria-expanded:bg-fill-active aria-expanded:text-ink',
  ],
  {
    variants: {
      variant: {
        primary: 'border-transparent bg-accent-solid text-on-accent hover:bg-accent-solid-hover',
        secondary: [
          'border-line-strong bg-surface text-ink [&>svg:first-child]:text-ink-3',
          'hover:bg-[color-mix(in_oklch,var(--surface),var(--ink)_4%)] active:bg-[color-mix(in_oklch,var(--surface),var(--ink)_8%)]',
        ],
        ghost: 'border-transparent bg-transparent text-ink-2 hover:bg-fill-hover hover:text-ink',
        danger: 'border-transparent bg-bad-solid text-on-accent hover:bg-bad-solid-hover',
      },
      size: {
        normal: 'h-control rounded-3 px-3 text-body',
        small: 'h-control-small rounded-[7px] px-2.5 text-small [&>svg]:icon-14',
        large: 'h-10 w-full rounded-3 px-3 text-body max-sm:h-11 pointer-coarse:h-11',
      },
      block: { true: 'w-full', false: '' },
    },
    defaultVariants: { variant: 'secondary', size: 'normal', block: false },
  },
);

export type ButtonLook = VariantProps<typeof buttonClass>;
