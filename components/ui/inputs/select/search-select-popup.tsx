import { Combobox as Base } from '@base-ui/react/combobox';
import { Check, Search } from 'lucide-react';
import { type KeyboardEvent as ReactKeyboardEvent, useEffect, useRef, useState } from 'react';
import { cn } from '#lib/class-names/cn.ts';
import { Button } from '../../buttons/button.tsx';
import { focusLeftPopup } from '../../overlays/focus-left-popup.ts';
import { popupClass } from '../../overlays/popup-class.ts';

export type SearchOption = {
  value: string;
  label: string;
  /** A second line: an email address, a role. */
  detail?: string | undefined;
};

export type OpeningKey = 'ArrowDown' | 'ArrowUp';

type SearchSelectPopupProps = {
  id: string;
  label: string;
  placeholder: string;
  /** The button below which it opens, and to which the focus returns. */
  anchor: HTMLButtonElement | null;
  isOpen: boolean;
  /** The arrow key whose option is highlighted at first; null: it was opened with the pointer. */
  openedWith: OpeningKey | null;
  onClose: () => void;
  options: readonly SearchOption[];
  value: string;
  onChange: (value: string) => void;
  /** Searches elsewhere than in the options. */
  onSearch?: ((text: string) => void) | undefined;
  isLoading?: boolean | undefined;
  /** Given if the options could not be loaded. */
  onTryAgain?: (() => void) | undefined;
};

export function SearchSelectPopup({
  id,
  label,
  placeholder,
  anchor,
  isOpen,
  openedWith,
  onClose,
  options,
  value,
  onChange,
  onSearch,
  isLoading = false,
  onTryAgain,
}: SearchSelectPopupProps) {
  const popup = useRef<HTMLDivElement>(null);
  const [input, setInput] = useState<HTMLInputElement | null>(null);
  const chosen = options.find((option) => option.value === value) ?? null;
  // A chosen option is highlighted in any case.
  const stepKey = chosen === null && options.length > 0 ? openedWith : null;
  useEffect(() => {
    if (input === null || stepKey === null) return;
    // Highlights the first or the last option, as Base UI does if the key is pressed on a trigger of
    // its own, which this button is not, because Base UI loads later.
    input.dispatchEvent(new KeyboardEvent('keydown', { key: stepKey, bubbles: true }));
  }, [input, stepKey]);

  /** From the button, the browser itself moves the focus to what follows it. */
  function leaveWithTab(event: ReactKeyboardEvent) {
    const canTryAgain = options.length === 0 && !isLoading && onTryAgain !== undefined;
    if (event.key !== 'Tab' || canTryAgain) return;
    if (event.shiftKey) event.preventDefault();
    anchor?.focus();
    onClose();
  }

  return (
    <Base.Root
      open={isOpen}
      onOpenChange={(next) => !next && onClose()}
      // `modal`: a press on the button must only close the popup, not close and reopen it.
      modal
      items={options}
      value={chosen}
      itemToStringLabel={textOf}
      onValueChange={(next: SearchOption | null) => next && onChange(next.value)}
      autoHighlight
      {...(onSearch && { filter: null, onInputValueChange: onSearch })}
    >
      <Base.Portal>
        <Base.Positioner
          anchor={anchor}
          sideOffset={4}
          align="start"
          collisionPadding={8}
          className="z-(--z-menu)"
        >
          <Base.Popup
            ref={popup}
            aria-label={label}
            onKeyDown={leaveWithTab}
            finalFocus={() => !focusLeftPopup(popup.current) && anchor}
            className={cn(
              'w-[max(15rem,var(--anchor-width))] max-w-(--available-width)',
              popupClass,
            )}
          >
            <div className="flex h-10 items-center gap-2 border-b border-line px-3 max-sm:h-11 pointer-coarse:h-11">
              <Search aria-hidden className="text-ink-3" />
              <Base.Input
                ref={setInput}
                aria-label={placeholder}
                placeholder={placeholder}
                autoComplete="off"
                spellCheck={false}
                className="h-full min-w-0 flex-1 bg-transparent text-field text-ink outline-none"
              />
            </div>
            <Base.Empty className="px-3 py-2.5 text-small text-ink-3 empty:p-0">
              <NoOptions isLoading={isLoading} onTryAgain={onTryAgain} />
            </Base.Empty>
            <Base.List
              id={id}
              aria-label={label}
              className="max-h-[min(20rem,calc(var(--available-height)-2.75rem))] overflow-y-auto p-1 outline-none empty:p-0"
            >
              {(option: SearchOption) => <Option key={option.value} option={option} />}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

type NoOptionsProps = {
  isLoading: boolean;
  /** Only if the options could not be loaded. */
  onTryAgain: (() => void) | undefined;
};

/** Explains why there is no option. */
function NoOptions({ isLoading, onTryAgain }: NoOptionsProps) {
  if (isLoading) return 'Searching…';
  if (onTryAgain === undefined) return 'No results.';
  return (
    <>
      Could not load.{' '}
      <Button size="small" onClick={onTryAgain}>
        Try again
      </Button>
    </>
  );
}

function Option({ option }: { option: SearchOption }) {
  return (
    <Base.Item value={option} className={itemClass}>
      <span className="min-w-0 flex-1">
        <span className="block truncate">{option.label}</span>
        {option.detail !== undefined && (
          <span className="block truncate text-micro text-ink-3 group-data-highlighted/item:text-ink-2">
            {option.detail}
          </span>
        )}
      </span>
      <Base.ItemIndicator>
        <Check aria-hidden className="text-accent" />
      </Base.ItemIndicator>
    </Base.Item>
  );
}

/** The text that the search covers. */
function textOf({ label, detail }: SearchOption): string {
  return detail === undefined ? label : `${label} ${detail}`;
}

const itemClass = cn(
  'group/item flex min-h-8 cursor-default items-center gap-2.5 rounded-2 px-2 py-1.5 text-body text-ink outline-none select-none',
  'data-highlighted:bg-fill-active max-sm:min-h-11 pointer-coarse:min-h-11',
);
