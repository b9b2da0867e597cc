import type { ComponentProps, RefObject, SubmitEvent } from 'react';

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
  return (
    <form
      {...attributes}
      ref={form}
      // If the browser submits the form itself, a password must not appear in the address.
      method="post"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(event);
      }}
      className={className}
    >
      {children}
      <p aria-live="polite" className="sr-only">
        {errorCount > 1 && `${errorCount} fields have errors.`}
      </p>
    </form>
  );
}
