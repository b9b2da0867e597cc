'use client';

import { cva, type VariantProps } from 'class-variance-authority';
import { type ComponentProps, type MouseEvent, type ReactNode, useId, useRef } from 'react';

import { cn } from '#lib/cn.ts';

import { Hint, useHint } from '../feedback/hint.tsx';
import { PageLink, type PageLinkProps, useIsPressed } from '../navigation/page-link.tsx';
import { Spinner } from '../feedback/spinner.tsx';

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

export type ButtonProps = Omit<ComponentProps<'button'>, 'disabled'> &
  ButtonLook & {
    /** Before the label. While pending, the spinner replaces it. */
    icon?: ReactNode;
    /** The action is running: the label stays, and presses do nothing. */
    pending?: boolean | undefined;
    /** Why the button is disabled. It stays focusable and shows this reason when pressed. */
    disabledReason?: string | undefined;
  };

/**
 * A button. It never gets the `disabled` attribute, which would drop the focus and explain nothing.
 */
export function Button({
  icon,
  pending = false,
  disabledReason,
  variant,
  size,
  block,
  className,
  children,
  onClick,
  ref,
  type = 'button',
  ...rest
}: ButtonProps) {
  const own = useRef<HTMLButtonElement>(null);
  const reasonId = useId();
  const hint = useHint();

  function press(event: MouseEvent<HTMLButtonElement>) {
    if (pending || disabledReason !== undefined) {
      // Also keeps a submit button from submitting its form.
      event.preventDefault();
      if (disabledReason !== undefined) hint.show();
      return;
    }
    onClick?.(event);
  }

  return (
    <>
      <button
        {...rest}
        ref={(node) => {
          own.current = node;
          if (typeof ref === 'function') ref(node);
          else if (ref) ref.current = node;
        }}
        type={type}
        aria-busy={pending || undefined}
        aria-disabled={disabledReason === undefined ? rest['aria-disabled'] : true}
        aria-describedby={
          cn(rest['aria-describedby'], disabledReason !== undefined && reasonId) || undefined
        }
        className={cn(buttonClass({ variant, size, block }), className)}
        onClick={press}
      >
        {pending ? <Spinner /> : icon}
        {children}
      </button>
      {disabledReason !== undefined && (
        <span id={reasonId} hidden>
          {disabledReason}
        </span>
      )}
      <Hint
        anchor={own}
        open={hint.open && disabledReason !== undefined}
        isSpoken
        onClose={hint.hide}
      >
        {disabledReason}
      </Hint>
    </>
  );
}

export type ButtonLinkProps = PageLinkProps & ButtonLook & { icon?: ReactNode };

/** A link that looks like a button. Once it is pressed, a spinner replaces the icon. */
export function ButtonLink({
  icon,
  href,
  variant,
  size,
  block,
  className,
  children,
  ...rest
}: ButtonLinkProps) {
  return (
    <PageLink
      {...rest}
      href={href}
      className={cn(buttonClass({ variant, size, block }), className)}
    >
      {useIsPressed(href) ? <Spinner /> : icon}
      {children}
    </PageLink>
  );
}
