'use client';

import { type RefObject, useEffect, useRef, useState } from 'react';

type FirstInvalid = {
  /** For the form. */
  form: RefObject<HTMLFormElement | null>;
  /** Call it together with the state change that marks fields invalid. */
  focusFirstInvalid: () => void;
};

/** Moves the focus to the first invalid field after the next render. */
export function useFirstInvalid(): FirstInvalid {
  const form = useRef<HTMLFormElement>(null);
  const [submitted, setSubmitted] = useState(0);
  useEffect(() => {
    if (submitted === 0) return;
    const marked = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    // A fieldset of radio buttons or checkboxes is marked invalid but cannot take the focus.
    const field = marked?.matches('fieldset')
      ? marked.querySelector<HTMLElement>('input:enabled')
      : marked;
    field?.focus();
    if (field instanceof HTMLInputElement) field.select();
  }, [submitted]);
  return { form, focusFirstInvalid: () => setSubmitted((before) => before + 1) };
}
