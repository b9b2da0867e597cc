import type { ComponentProps } from 'react';
import { cn } from '#lib/class-names/cn.ts';
import { useFieldAttributes } from './form/field.tsx';
import { useInputBeforeHydration } from './use-input-before-hydration.ts';

/** A text area of two lines that grows with its content, up to a maximum height. */
export function TextArea({ className, ref, ...rest }: ComponentProps<'textarea'>) {
  const attributes = useFieldAttributes(rest);
  return (
    <textarea
      // Where `field-sizing` is not supported.
      rows={2}
      {...rest}
      {...attributes}
      ref={useInputBeforeHydration(ref)}
      className={cn(
        'field-box block max-h-40 min-h-13.5 w-full min-w-0 resize-y [field-sizing:content] px-2.5 py-1.5 text-field',
        className,
      )}
    />
  );
}
