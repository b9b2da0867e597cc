'use client';

import { type ComponentProps, type RefObject, type SubmitEvent, useEffect, useRef } from 'react';

import { cn } from '#lib/cn.ts';

import { useIsHydrated } from '../rendering/hydration-mark.tsx';

export type FormProps = Pick<ComponentProps<'form'>, 'id' | 'className' | 'children'> & {
  /** From `useFirstInvalid`. */
  form?: RefObject<HTMLFormElement | null>;
  /** How many fields had an error when the form was submitted last. */
  errorCount?: number;
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
};

/** A form that a function submits. Every form is one of these. */
export function Form({
  form,
  errorCount = 0,
  onSubmit,
  className,
  children,
  ...attributes
}: FormProps) {
  const own = useRef<HTMLFormElement>(null);
  const element = form ?? own;
  const isHydrated = useIsHydrated();

  useEffect(() => {
    if (isHydrated && element.current) repeatEarlyPress(element.current);
  }, [isHydrated, element]);

  return (
    <form
      {...attributes}
      ref={element}
      // If the browser submits the form itself, a password must not appear in the address.
      method="post"
      noValidate
      data-hydrated={isHydrated}
      // `data-pressed` is set before hydration.
      suppressHydrationWarning
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(event);
      }}
      className={cn('data-pressed:[&_[type=submit]]:opacity-60', className)}
    >
      {children}
      <p aria-live="polite" className="sr-only">
        {errorCount > 1 && `${errorCount} fields have errors.`}
      </p>
    </form>
  );
}

/** Submits the form if its button was pressed before the scripts arrived. */
function repeatEarlyPress(form: HTMLFormElement): void {
  if (form.dataset['pressed'] === undefined) return;
  delete form.dataset['pressed'];
  // After the fields have reported what was entered, which `useKeptInput` has in microtasks too.
  queueMicrotask(() => form.querySelector<HTMLButtonElement>('[type="submit"]')?.click());
}
