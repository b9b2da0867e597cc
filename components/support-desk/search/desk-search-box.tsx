import { Search, X } from 'lucide-react';
import { type FormEvent, useEffect, useEffectEvent, useId, useRef } from 'react';
import {
  recorderAttributes,
  recorderClass,
  noAutofillAttributes,
} from '#components/shell/one-time-secret/secret-attributes.ts';
import { Button } from '#components/ui/buttons/button.tsx';
import { IconButton } from '#components/ui/buttons/icon-button.tsx';
import { cn } from '#lib/class-names/cn.ts';
import { readPasted } from '#lib/contract/support-desk/pasted-text.ts';
import { usePaletteSearch } from '../palette-search.tsx';
import type { SearchedAccount } from './kept-search.ts';

/** Text that must not be searched for; the box has been emptied already. */
export type RefusedText = 'part-of-token' | 'signing-secret';

type DeskSearchBoxProps = {
  isBusy: boolean;
  /** Whether the desk shows the outcome of a search, which the person can clear. */
  hasOutcome: boolean;
  /** Why no search can start now. */
  disabledReason: string | undefined;
  within: SearchedAccount | null;
  onSearch: (text: string) => void;
  /** Called for a search that was typed into the palette, which is one of all accounts. */
  onSearchAll: (text: string) => void;
  /** Called once the token was removed from the box. Do not keep it. */
  onToken: (token: string) => void;
  onRefused: (why: RefusedText) => void;
  onCleared: () => void;
  /** Returns the text of an earlier search for the empty box; null if there is none. */
  onEmptyAtFirst: () => string | null;
};

/** The search box of the desk. Its text is never in React state: a token is removed immediately. */
export function DeskSearchBox({
  isBusy,
  hasOutcome,
  disabledReason,
  within,
  onSearch,
  onSearchAll,
  onToken,
  onRefused,
  onCleared,
  onEmptyAtFirst,
}: DeskSearchBoxProps) {
  const box = useRef<HTMLInputElement>(null);
  const labelId = useId();
  /** Whether the box held a token or secret, which has been removed. */
  function takeOutSecret(): boolean {
    const field = box.current;
    const pasted = readPasted(field?.value ?? '');
    if (field === null || pasted.kind === 'text') return false;
    field.value = '';
    if (pasted.kind === 'token') onToken(pasted.token);
    else onRefused(pasted.kind);
    return true;
  }

  function onInput({ nativeEvent: event }: FormEvent) {
    // A part of a token may become a whole one while someone types or corrects it. If it were
    // removed, the rest would stay in the box as a text to search for.
    const isWhole = readPasted(box.current?.value ?? '').kind === 'token';
    if (isWhole || !isTyped(event)) takeOutSecret();
  }

  function onBlur() {
    // Not if the person only looks into another window, for example for the rest of a token.
    if (document.hasFocus()) takeOutSecret();
  }

  const takeOver = useEffectEvent(() => {
    const field = box.current;
    if (field === null) return;
    const earlier = field.value === '' ? onEmptyAtFirst() : null;
    if (earlier !== null) field.value = earlier;
    // A text that was pasted before the scripts of the page arrived.
    else takeOutSecret();
    field.focus();
    // The next text replaces it.
    if (earlier !== null) field.select();
  });
  useEffect(() => takeOver(), []);

  useEffect(() => {
    if (within === null) return;
    box.current?.focus();
    // Other words replace those that found the account.
    box.current?.select();
  }, [within]);

  function searchForBox() {
    if (takeOutSecret()) return;
    const text = box.current?.value.trim() ?? '';
    if (text !== '') onSearch(text);
  }

  const { requested, onTaken } = usePaletteSearch();
  const takeRequested = useEffectEvent((search: string) => {
    onTaken();
    if (box.current === null) return;
    box.current.value = search;
    box.current.focus();
    if (!takeOutSecret()) onSearchAll(search);
  });
  useEffect(() => {
    if (requested !== null) takeRequested(requested);
  }, [requested]);

  function submit(event: FormEvent) {
    event.preventDefault();
    searchForBox();
  }

  return (
    <form role="search" onSubmit={submit} className="flex gap-2">
      <label className="group field-box flex h-12 min-w-0 flex-1 items-center gap-3 border-line-strong pr-1.5 pl-3.5 hover:border-line-field">
        <Search aria-hidden className="text-ink-3" />
        <span id={labelId} className="sr-only">
          {within === null ? 'Search all accounts' : `Search ${within.name}`}
        </span>
        <input
          ref={box}
          type="text"
          // The `label` around it also contains the clear button, whose name would be part of the
          // field's name.
          aria-labelledby={labelId}
          // Without a name, the field is never part of a URL, even if the form is submitted before
          // hydration.
          placeholder="Name, URL, email, ID or token"
          enterKeyHint="search"
          maxLength={4096}
          {...noAutofillAttributes}
          {...recorderAttributes}
          onInput={onInput}
          onBlur={onBlur}
          className={cn(
            'h-full min-w-0 flex-1 bg-transparent text-field text-ellipsis text-ink outline-none',
            recorderClass,
          )}
        />
        <IconButton
          label="Clear search"
          icon={<X />}
          className={hasOutcome ? undefined : 'group-has-placeholder-shown:hidden'}
          onClick={() => {
            if (box.current) box.current.value = '';
            onCleared();
            box.current?.focus();
          }}
        />
      </label>
      <Button
        type="submit"
        variant="primary"
        size="large"
        className="h-12 w-auto max-sm:h-12"
        pending={isBusy}
        disabledReason={disabledReason}
      >
        Search
      </Button>
    </form>
  );
}

/** Whether the text was typed, composed or corrected, and not pasted, dropped or filled in. */
function isTyped(event: Event): boolean {
  if (!(event instanceof InputEvent) || event.inputType.startsWith('insertFrom')) return false;
  return event.inputType !== 'insertText' || event.data?.length === 1;
}
