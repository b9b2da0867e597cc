import { Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import { cn } from '#lib/class-names/cn.ts';
import { Kbd } from '../data-display/kbd.tsx';
import { isTyping } from './is-typing.ts';
import { useInputBeforeHydration } from './use-input-before-hydration.ts';

type SearchFieldProps = {
  /** The accessible name: "Search keys". */
  label: string;
  placeholder?: string;
  value: string;
  onChange: (value: string) => void;
  /** Takes the rest of the row, for ids. */
  isWide?: boolean;
};

/** A search field that filters while typing. "/" moves the focus here, Escape clears it. */
export function SearchField({
  label,
  placeholder,
  value,
  onChange,
  isWide = false,
}: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const labelId = useId();
  useSlashShortcut(input);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Escape' || value === '') return;
    event.stopPropagation();
    onChange('');
  }

  return (
    <label
      className={cn(
        'field-box flex h-control w-68 items-center gap-2 border-line-strong pr-2 pl-2.5 hover:border-line-field',
        // On a phone it leaves room for a button next to it, not more.
        'max-sm:w-auto max-sm:min-w-0 max-sm:flex-[1_1_calc(100%-3.5rem)]',
        isWide && 'sm:w-auto sm:flex-[1_1_15rem]',
      )}
    >
      <Search aria-hidden className="text-ink-3" />
      <span id={labelId} className="sr-only">
        {label}
      </span>
      <input
        ref={useInputBeforeHydration(input)}
        type="search"
        // Otherwise WebKit adds the field's text and its clear button to the accessible name.
        aria-labelledby={labelId}
        value={value}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        aria-keyshortcuts="/"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        className="h-full min-w-0 flex-1 bg-transparent text-field text-ellipsis text-ink outline-none"
      />
      <Kbd className="max-sm:hidden pointer-coarse:hidden">/</Kbd>
    </label>
  );
}

function useSlashShortcut(input: React.RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    function onKeyDown(event: globalThis.KeyboardEvent) {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.defaultPrevented || isTyping(event.target) || isUnderDialog(input.current)) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [input]);
}

function isUnderDialog(element: HTMLElement | null): boolean {
  return element === null || element.closest('[inert], [aria-hidden="true"]') !== null;
}
