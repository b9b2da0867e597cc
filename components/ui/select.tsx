'use client';

import { Select as Base } from '@base-ui/react/select';
import { Check, ChevronDown } from 'lucide-react';

import { cn } from '#lib/cn.ts';

import { useFieldAttributes } from './field.tsx';

export type SelectOption<Value extends string> = {
  value: Value;
  label: string;
  disabled?: boolean;
};

export type SelectProps<Value extends string> = {
  /** What is chosen between. Seen in grey before the value ("Status Any"), unless a `Field` names it. */
  label?: string;
  options: readonly SelectOption<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  size?: 'normal' | 'small';
  /** Sent with a form. */
  name?: string;
  className?: string;
};

/** A list like a menu, with a tick at the value. Alone it is a filter; in a `Field` it fills the width. */
export function Select<Value extends string>({
  label,
  options,
  value,
  onChange,
  size = 'normal',
  name,
  className,
}: SelectProps<Value>) {
  const field = useFieldAttributes({});
  const inField = label === undefined;
  return (
    <Base.Root
      items={options}
      value={value}
      name={name}
      onValueChange={(next) => next !== null && onChange(next)}
    >
      <Base.Trigger
        {...field}
        aria-label={label}
        className={cn(
          'inline-flex cursor-default items-center justify-between gap-1.5 border bg-surface whitespace-nowrap text-ink transition-colors select-none',
          'hover:bg-[color-mix(in_oklch,var(--surface),var(--ink)_4%)] data-popup-open:bg-fill-active',
          inField ? 'field-box w-full pr-2 pl-2.5 text-field' : 'border-line-strong text-body',
          size === 'normal' ? 'h-control rounded-3' : 'h-control-small rounded-[7px] text-small',
          !inField && (size === 'normal' ? 'pr-2 pl-3' : 'pr-1.5 pl-2.5'),
          className,
        )}
      >
        <span className="truncate">
          {label !== undefined && (
            <span aria-hidden className="text-ink-3">
              {label}{' '}
            </span>
          )}
          <Base.Value />
        </span>
        <ChevronDown aria-hidden className="icon-14 text-ink-3" />
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner
          sideOffset={6}
          align="start"
          alignItemWithTrigger={false}
          collisionPadding={8}
          className="z-(--z-menu)"
        >
          <Base.Popup
            className={cn(
              'max-h-(--available-height) min-w-[max(12.5rem,var(--anchor-width))] overflow-y-auto rounded-4 bg-overlay p-1 shadow-menu outline-none',
              'origin-(--transform-origin) transition-[opacity,scale] duration-(--base) data-ending-style:opacity-0 data-starting-style:scale-98 data-starting-style:opacity-0',
            )}
          >
            <Base.List>
              {options.map((option) => (
                <Base.Item
                  key={option.value}
                  value={option.value}
                  disabled={option.disabled ?? false}
                  className={cn(
                    'flex h-8 cursor-default items-center justify-between gap-2.5 rounded-2 px-2 text-body text-ink outline-none select-none',
                    'data-disabled:text-ink-3 data-highlighted:bg-fill-active max-sm:h-11 pointer-coarse:h-11',
                  )}
                >
                  <Base.ItemText>{option.label}</Base.ItemText>
                  <Base.ItemIndicator>
                    <Check aria-hidden className="text-accent" />
                  </Base.ItemIndicator>
                </Base.Item>
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
