import { CircleAlert } from 'lucide-react';
import { createContext, type ReactNode, use, useId } from 'react';
import { cn } from '#lib/class-names/cn.ts';

type FieldProps = {
  label: ReactNode;
  /** Small text next to the label. */
  hint?: ReactNode;
  optional?: boolean;
  /** One sentence below the control. An error replaces it. */
  help?: ReactNode;
  error?: string | undefined;
  className?: string;
  /** One `Input` or `Select`, which gets its id, description and invalid state from this field. */
  children: ReactNode;
};

/** A form field: label, control, and help or error, connected for screen readers. */
export function Field({ label, hint, optional, help, error, className, children }: FieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const hasNote = error !== undefined || help !== undefined;
  return (
    <div className={className}>
      <label
        htmlFor={id}
        className="mb-1.5 flex items-baseline gap-2 text-small font-medium text-ink"
      >
        <span className="min-w-0">{label}</span>
        {hint !== undefined && <span className="text-micro font-normal text-ink-3">{hint}</span>}
        {optional && <span className="text-micro font-normal text-ink-3">Optional</span>}
      </label>
      <FieldContext
        value={{ id, describedBy: hasNote ? noteId : undefined, invalid: error !== undefined }}
      >
        {children}
      </FieldContext>
      <FieldNote id={noteId} help={help} error={error} />
    </div>
  );
}

type FieldNoteProps = {
  id: string;
  help?: ReactNode;
  error?: string | undefined;
  className?: string;
};

/** The text below a control: the error, or else the help. */
export function FieldNote({ id, help, error, className }: FieldNoteProps) {
  if (error !== undefined)
    return (
      <p id={id} className={cn('mt-1.5 flex gap-1.5 text-small text-bad', className)}>
        <CircleAlert aria-hidden className="icon-14 mt-[3px]" />
        <span>{error}</span>
      </p>
    );
  if (help === undefined) return null;
  return (
    <div id={id} className={cn('mt-1.5 text-small text-pretty text-ink-3', className)}>
      {help}
    </div>
  );
}

type FieldState = { id: string | undefined; describedBy: string | undefined; invalid: boolean };

const FieldContext = createContext<FieldState>({
  id: undefined,
  describedBy: undefined,
  invalid: false,
});

/** The attributes that a control gets from its `Field`. Its own attributes take precedence. */
export function useFieldAttributes(own: {
  id?: string | undefined;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: boolean | 'true' | 'false' | 'grammar' | 'spelling' | undefined;
}) {
  const field = use(FieldContext);
  return {
    id: own.id ?? field.id,
    'aria-describedby': cn(own['aria-describedby'], field.describedBy) || undefined,
    'aria-invalid': own['aria-invalid'] ?? (field.invalid || undefined),
  };
}
