import type { ComponentProps } from 'react';
import { cn } from '#lib/class-names/cn.ts';
import { useFieldAttributes } from './form/field.tsx';
import { useInputBeforeHydration } from './use-input-before-hydration.ts';

export type InputProps = Omit<ComponentProps<'input'>, 'size'> & {
  /** Monospace, for URLs, networks and IDs. */
  mono?: boolean;
  size?: 'normal' | 'large';
};

export function Input({ mono = false, size = 'normal', className, ref, ...rest }: InputProps) {
  const attributes = useFieldAttributes(rest);
  return (
    <input
      {...rest}
      {...attributes}
      ref={useInputBeforeHydration(ref)}
      className={cn(
        'field-box w-full min-w-0 px-2.5 text-field',
        // As a block, WebKit puts the parts of a date at the top of the field.
        rest.type === 'datetime-local' ? 'grid content-center' : 'block',
        size === 'large' ? 'h-10 max-sm:h-11 pointer-coarse:h-11' : 'h-control',
        mono && 'font-mono sm:text-code',
        rest.type === 'password' && 'not-placeholder-shown:tracking-[0.14em]',
        className,
      )}
    />
  );
}
