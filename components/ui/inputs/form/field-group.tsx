import type { ComponentProps, ReactNode } from 'react';
import { FieldNote } from './field.tsx';

type FieldGroupProps = Omit<ComponentProps<'fieldset'>, 'id' | 'aria-describedby'> & {
  legend: ReactNode;
  /** Small text next to the legend: "2 of 8". */
  hint?: ReactNode;
  /** One sentence below the controls. An error replaces it. */
  help?: ReactNode;
  error?: string | undefined;
  /** The id of the sentence below. */
  noteId: string;
};

/** Controls that belong together: legend, controls, and help or error. */
export function FieldGroup({
  legend,
  hint,
  help,
  error,
  noteId,
  children,
  ...attributes
}: FieldGroupProps) {
  const hasNote = help !== undefined || error !== undefined;
  return (
    <fieldset {...attributes} aria-describedby={hasNote ? noteId : undefined}>
      <legend className="mb-1.5 flex items-baseline gap-2 text-small font-medium text-ink">
        <span className="min-w-0">{legend}</span>
        {hint !== undefined && <span className="text-micro font-normal text-ink-3">{hint}</span>}
      </legend>
      {children}
      <FieldNote id={noteId} help={help} error={error} />
    </fieldset>
  );
}
