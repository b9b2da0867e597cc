'use client';

import { CircleAlert } from 'lucide-react';
import { type RefObject, useId } from 'react';

import { cn } from '#lib/class-names/cn.ts';

export type SavedNoun = 'token' | 'secret' | 'codes' | 'link';

type SavedConfirmationProps = {
  noun: SavedNoun;
  checkbox: RefObject<HTMLInputElement | null>;
  isSaved: boolean;
  isMissing: boolean;
  onChange: (isSaved: boolean) => void;
};

/**
 * The checkbox "I have saved this token". Copying does not tick it. If Done was pressed before, it
 * says what is missing.
 */
export function SavedConfirmation({
  noun,
  checkbox,
  isSaved,
  isMissing,
  onChange,
}: SavedConfirmationProps) {
  const id = useId();
  const these = noun === 'codes' ? 'these codes' : `this ${noun}`;
  return (
    <label
      className={cn(
        'flex gap-2.5 rounded-3 border px-3.5 py-3 transition-colors',
        isMissing ? 'border-bad-mark bg-bad-soft' : 'border-line-strong',
      )}
    >
      <input
        ref={checkbox}
        type="checkbox"
        checked={isSaved}
        onChange={(event) => onChange(event.target.checked)}
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-about`}
        aria-invalid={isMissing || undefined}
        className="tick-box"
      />
      <span className="min-w-0">
        <span id={`${id}-label`} className="block font-medium">
          I have saved {these}
        </span>
        <span
          id={`${id}-about`}
          className={cn(
            'flex gap-1.5 text-small text-pretty',
            isMissing ? 'mt-0.5 text-bad' : 'text-ink-3',
          )}
        >
          {isMissing && <CircleAlert aria-hidden className="icon-14 mt-[3px]" />}
          <span>
            {isMissing
              ? `Tick this first. After Done, nobody can show ${these} again.`
              : places[noun]}
          </span>
        </span>
      </span>
    </label>
  );
}

const places: Record<SavedNoun, string> = {
  token: 'In a password manager, or in your server’s secrets.',
  secret: 'In a password manager, or in your server’s secrets.',
  codes: 'In a password manager or on paper, not on this device alone.',
  link: 'Or sent it to the person whom you invite.',
};
