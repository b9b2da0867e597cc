import { type ComponentProps, useId } from 'react';
import { cn } from '#lib/class-names/cn.ts';
import { useInputBeforeHydration } from './use-input-before-hydration.ts';

type SwitchProps = Omit<ComponentProps<'input'>, 'type' | 'role'> & {
  checked: boolean;
  label: string;
  /** A sentence below the label, also its accessible description. */
  description?: string;
};

/** A checkbox for a setting that is on or off, at the end of its label's line. */
export function Switch({ label, description, checked, className, ref, ...rest }: SwitchProps) {
  const id = useId();
  return (
    <label
      className={cn(
        'flex min-h-6 items-center gap-2.5 max-sm:min-h-11 pointer-coarse:min-h-11',
        rest.disabled && 'text-ink-3',
        className,
      )}
    >
      <span className="min-w-0 flex-1">
        <span id={`${id}-label`}>{label}</span>
        {description !== undefined && (
          <span id={`${id}-about`} className="block text-small text-ink-3">
            {description}
          </span>
        )}
      </span>
      <input
        {...rest}
        ref={useInputBeforeHydration(ref)}
        type="checkbox"
        role="switch"
        checked={checked}
        aria-checked={checked}
        aria-labelledby={`${id}-label`}
        aria-describedby={description === undefined ? undefined : `${id}-about`}
        className="switch"
      />
    </label>
  );
}
