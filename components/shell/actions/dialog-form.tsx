'use client';

import type { ReactNode, RefObject } from 'react';

type DialogFormProps = {
  id: string;
  form: RefObject<HTMLFormElement | null>;
  onSubmit: () => void;
  children: ReactNode;
};

/** The form in an `ActionDialog`, whose confirm button submits it. */
export function DialogForm({ id, form, onSubmit, children }: DialogFormProps) {
  return (
    // `post`: if the browser submits the form itself, a password must not appear in the URL.
    <form
      ref={form}
      id={id}
      method="post"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // React events bubble from a dialog to the component that rendered it, which may be inside a
        // form.
        event.stopPropagation();
        onSubmit();
      }}
      className="grid grid-cols-[minmax(0,1fr)] gap-5"
    >
      {children}
    </form>
  );
}
