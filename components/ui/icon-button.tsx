'use client';

import type { ComponentProps, ReactNode } from 'react';

import { cn } from '#lib/cn.ts';

import { buttonClass } from './button.tsx';

export type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label' | 'children'> & {
  /** What it does, with the object's name ("Actions for Staging"). */
  label: string;
  icon: ReactNode;
  variant?: 'ghost' | 'secondary';
  size?: 'normal' | 'small';
  /** 14 instead of 16, inside a box of its own. */
  hasSmallIcon?: boolean;
};

export function IconButton({
  label,
  icon,
  variant = 'ghost',
  size = 'small',
  hasSmallIcon = false,
  className,
  type = 'button',
  ...rest
}: IconButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      className={cn(
        buttonClass({ variant, size }),
        'px-0 [&>svg:first-child]:ml-0',
        size === 'small' ? 'w-control-small' : 'w-control',
        // A button's leading icon shrinks with it; an icon that is the whole button does not.
        size === 'small' && !hasSmallIcon && '[&>svg]:size-4! [&>svg]:stroke-[1.75]!',
        variant === 'ghost' && 'text-ink-3',
        className,
      )}
    >
      {icon}
    </button>
  );
}
