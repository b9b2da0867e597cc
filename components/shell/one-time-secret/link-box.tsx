'use client';

import { type RefObject, useId, useRef } from 'react';

import { copySelected, useCopy } from '#components/ui/buttons/use-copy.ts';
import { cn } from '#lib/class-names/cn.ts';

import { recorderAttributes, recorderClass } from './secret-attributes.ts';
import { SecretText } from './secret-text.tsx';

type LinkBoxProps = {
  label: string;
  /** With a token in its fragment. */
  value: string;
  copyButton: RefObject<HTMLButtonElement | null>;
  /** For the dialog's live region. */
  onAnnounce: (text: string) => void;
};

/** A secret link with a button to copy it. */
export function LinkBox({ label, value, copyButton, onAnnounce }: LinkBoxProps) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const { state, copy } = useCopy();

  async function copyLink() {
    const isCopied = await copy(value);
    if (!isCopied) {
      field.current?.focus();
      field.current?.select();
    }
    onAnnounce(isCopied ? `${label} copied.` : copySelected);
  }

  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-small font-medium">
        {label}
      </label>
      <div
        {...recorderAttributes}
        className={cn('rounded-3 border border-line-strong bg-sunken', recorderClass)}
      >
        <SecretText
          id={id}
          value={value}
          field={field}
          copyButton={copyButton}
          copyState={state}
          onCopy={() => void copyLink()}
          columns={value.length}
          className="text-code"
        />
      </div>
    </div>
  );
}
