import { ChevronDown } from 'lucide-react';
import {
  type ComponentProps,
  cloneElement,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  useId,
  useState,
} from 'react';
import { cn } from '#lib/class-names/cn.ts';
import { useFieldAttributes } from '../form/field.tsx';
import { lazyComponent } from '../../rendering/lazy-component.ts';
import type { OpeningKey, SearchOption } from './search-select-popup.tsx';

type SearchSelectProps = {
  /** The accessible name of the list, and of the button outside of a `Field`: "Switch account". */
  label: string;
  /** The placeholder of the search field: "Find an account". */
  placeholder: string;
  options: readonly SearchOption[];
  value: string;
  onChange: (value: string) => void;
  /** Searches elsewhere than in the options, which are then what it found: '' once it is opened. */
  onSearch?: (text: string) => void;
  /** Whether the options are still being loaded or searched. */
  isLoading?: boolean;
  /** Loads the options again, if that failed. */
  onTryAgain?: (() => void) | undefined;
  /** Replaces the button that looks like a field. */
  trigger?: ReactElement<Record<string, unknown>>;
};

/** A select with a search field, for many options. */
export function SearchSelect({ trigger, ...choice }: SearchSelectProps) {
  const { label, options, value, onSearch } = choice;
  const [button, setButton] = useState<HTMLButtonElement | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [openedWith, setOpenedWith] = useState<OpeningKey | null>(null);
  const listId = useId();
  function open(key: OpeningKey | null) {
    onSearch?.('');
    setOpenedWith(key);
    setIsOpen(true);
  }

  const attributes = {
    ref: setButton,
    type: 'button' as const,
    role: 'combobox',
    'aria-haspopup': 'listbox' as const,
    'aria-expanded': isOpen,
    'aria-controls': isOpen ? listId : undefined,
    // Enter and Space make a click without a press of the pointer.
    onClick: ({ detail }: MouseEvent) => open(detail === 0 ? 'ArrowDown' : null),
    onKeyDown(event: KeyboardEvent) {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      open(event.key);
    },
  };
  return (
    <>
      {trigger ? (
        // A combobox gets no accessible name from its content, which is its value.
        cloneElement(trigger, { ...attributes, 'aria-label': label })
      ) : (
        <FieldTrigger {...attributes} chosen={options.find((one) => one.value === value)} />
      )}
      <Popup
        {...choice}
        shouldLoad={isOpen}
        id={listId}
        anchor={button}
        isOpen={isOpen}
        openedWith={openedWith}
        onClose={() => setIsOpen(false)}
      />
    </>
  );
}

const Popup = lazyComponent(
  async () => (await import('./search-select-popup.tsx')).SearchSelectPopup,
);

type FieldTriggerProps = ComponentProps<'button'> & { chosen: SearchOption | undefined };

/** Looks like a `Select`, and gets its label from the `Field` around it. */
function FieldTrigger({ chosen, ...attributes }: FieldTriggerProps) {
  const field = useFieldAttributes({});
  return (
    <button
      {...attributes}
      {...field}
      className="field-box flex h-control w-full cursor-default items-center justify-between gap-1.5 bg-surface pr-2 pl-2.5 text-left text-field text-ink select-none"
    >
      <span className={cn('truncate', chosen === undefined && 'text-ink-3')}>
        {chosen?.label ?? 'Choose'}
      </span>
      <ChevronDown aria-hidden className="icon-14 text-ink-3" />
    </button>
  );
}
