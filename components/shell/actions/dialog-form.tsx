'use client';

import type { ReactNode, RefObject } from 'react';

import { Form } from '#components/ui/inputs/form/form.tsx';

type DialogFormProps = {
  id: string;
  form: RefObject<HTMLFormElement | null>;
  /** How many fields had an error when the form was submitted last. */
  errorCount?: number;
  onSubmit: () => void;
  children: ReactNode;
};

/** The form in an `ActionDialog`, whose confirm button submits it. */
export function DialogForm({ id, form, errorCount = 0, onSubmit, children }: DialogFormProps) {
  return (
    <Form
      id={id}
      form={form}
      errorCount={errorCount}
      onSubmit={(event) => {
        // React events bubble from a dialog to the component that rendered it, which may be inside
        // a form.
        event.stopPropagation();
        onSubmit();
      }}
      className="grid grid-cols-[minmax(0,1fr)] gap-5"
    >
      {children}
    </Form>
  );
}
