import { type ComponentProps, type ReactNode, useId } from 'react';
import { Code } from '#components/ui/data-display/code.tsx';
import { cn } from '#lib/class-names/cn.ts';
import { useInputBeforeHydration } from './use-input-before-hydration.ts';

type CheckboxProps = Omit<ComponentProps<'input'>, 'type'> & {
  label: ReactNode;
  /** A sentence below the label, also its accessible description. */
  description?: ReactNode;
  /** At the end of the line, such as a scope. */
  end?: ReactNode;
};

/** A checkbox with label and description. The whole line is clickable. */
export function Checkbox({ label, description, end, className, ref, ...rest }: CheckboxProps) {
  const id = useId();
  return (
    <label
      className={cn(
        // However many lines there are, they are in the middle, and the box is next to the first.
        'grid min-h-6 auto-cols-auto grid-flow-col grid-cols-[auto_minmax(0,1fr)] content-center items-start gap-x-2.5 max-sm:min-h-11 pointer-coarse:min-h-11',
        rest.disabled && 'text-ink-3',
        className,
      )}
    >
      <input
        {...rest}
        ref={useInputBeforeHydration(ref)}
        type="checkbox"
        aria-labelledby={`${id}-label`}
        aria-describedby={
          cn(rest['aria-describedby'], description !== undefined && `${id}-about`) || undefined
        }
        className="tick-box"
      />
      <span className="min-w-0 self-baseline">
        <span id={`${id}-label`}>{label}</span>
        {description !== undefined && (
          <span id={`${id}-about`} className="block text-small text-ink-3">
            {description}
          </span>
        )}
      </span>
      {end !== undefined && <Code className="self-baseline text-ink-3">{end}</Code>}
    </label>
  );
}
