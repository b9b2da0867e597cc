import type { ComponentProps, ReactNode } from 'react';
import { cn } from '#lib/class-names/cn.ts';
import { buttonClass } from './button-class.ts';

type IconButtonProps = Omit<
  ComponentProps<'button'>,
  'aria-label' | 'children' | 'disabled' | 'aria-disabled'
> & {
  /** The accessible name, with the object's name: "Actions for Staging". */
  label: string;
  icon: ReactNode;
  variant?: 'ghost' | 'secondary';
  size?: 'normal' | 'small';
  /** A 14 px icon instead of 16 px. */
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
        variant === 'ghost'
          ? 'icon-button-ghost'
          : cn(buttonClass({ variant, size }), 'px-0 [&>svg:first-child]:ml-0'),
        size === 'small' ? 'icon-button-small' : 'h-control w-control rounded-3',
        // Small buttons have small icons, but not if the icon is the whole button.
        size === 'small' &&
          (hasSmallIcon ? '[&>svg]:icon-14' : '[&>svg]:size-4! [&>svg]:stroke-[1.75]!'),
        className,
      )}
    >
      {icon}
    </button>
  );
}
