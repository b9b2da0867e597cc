import { ChevronDown } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useId, useRef, useState } from 'react';
import { cn } from '#lib/class-names/cn.ts';
import { useFieldAttributes } from '../form/field.tsx';
import { findTypedOption } from './find-typed-option.ts';
import { useTypedText } from './use-typed-text.ts';
import { lazyComponent } from '../../rendering/lazy-component.ts';
import type { SelectOption } from './select-popup.tsx';

type SelectProps<Value extends string> = {
  /** The label, shown in gray before the value ("Status Any"). Leave it out inside of a `Field`. */
  label?: string;
  options: readonly SelectOption<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  size?: 'normal' | 'small';
  /** The name of the value when a form is submitted. */
  name?: string;
  /** The control, to move the focus to it. */
  ref?: RefObject<HTMLButtonElement | null>;
  className?: string;
};

/** A select. With `label` it is a compact filter; inside of a `Field` it fills the width. */
export function Select<Value extends string>({
  label,
  options,
  value,
  onChange,
  size = 'normal',
  name,
  ref,
  className,
}: SelectProps<Value>) {
  const field = useFieldAttributes({});
  const own = useRef<HTMLButtonElement | null>(null);
  const anchor = ref ?? own;
  const [isOpen, setIsOpen] = useState(false);
  const inField = label === undefined;
  const listId = useId();
  const readTyped = useTypedText();

  // Base UI would do this, but it loads when the list opens for the first time.
  function onKeyDown(event: KeyboardEvent) {
    const typed = readTyped(event);
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setIsOpen(true);
      return;
    }
    if (typed === null) return;
    // A space between two words must not open the list.
    if (event.key === ' ') event.preventDefault();
    const found = findTypedOption(options, { typed, value });
    if (found !== null && found !== value) onChange(found as Value);
  }

  return (
    <>
      <button
        {...field}
        ref={anchor}
        type="button"
        role="combobox"
        aria-label={label}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        onClick={() => setIsOpen(true)}
        onKeyDown={onKeyDown}
        className={cn(
          'inline-flex cursor-default items-center justify-between gap-1.5 border bg-surface whitespace-nowrap text-ink transition-colors select-none',
          'hover:bg-[color-mix(in_oklch,var(--surface),var(--ink)_4%)] aria-expanded:bg-fill-active',
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
          {options.find((option) => option.value === value)?.label}
        </span>
        <ChevronDown aria-hidden className="icon-14 text-ink-3" />
      </button>
      {name !== undefined && <input type="hidden" name={name} value={value} />}
      <Popup
        shouldLoad={isOpen}
        id={listId}
        anchor={anchor}
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        options={options}
        value={value}
        onChange={(next) => onChange(next as Value)}
      />
    </>
  );
}

const Popup = lazyComponent(async () => (await import('./select-popup.tsx')).SelectPopup);
