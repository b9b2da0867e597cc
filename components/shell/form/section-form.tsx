import type { ReactNode } from 'react';
import { Form } from '#components/ui/inputs/form/form.tsx';
import { cn } from '#lib/class-names/cn.ts';
import { ActionButton } from '../actions/action-button.tsx';
import { ActionProblem } from '../feedback/action-problem.tsx';
import { SuccessMessage } from '../feedback/success-message.tsx';
import type { FormState } from './use-form.ts';

type SectionFormProps = {
  form: FormState;
  /** The fields. */
  children: ReactNode;
  rateLimit?: ReactNode;
  /** "Your changes were not saved" */
  notDone: string;
  /** For a lost response: "We could not confirm whether your changes were saved" */
  unknown: string;
  submit: string;
  /** Why that button is disabled, if no rate limit is the reason. */
  disabledReason?: string | undefined;
  /** `primary`: the form is all there is on the page. */
  variant?: 'primary' | 'secondary';
  /** Beside the button: what else happens. */
  note?: string;
  /** Shows what was done. Null: nothing yet, or the form was changed since. */
  success: string | null;
  className?: string;
};

/** A form in a section of a page, which stays there after it was submitted. */
export function SectionForm({
  form,
  children,
  rateLimit,
  notDone,
  unknown,
  submit,
  disabledReason,
  variant = 'secondary',
  note,
  success,
  className,
}: SectionFormProps) {
  return (
    <Form {...form.attributes} className={cn('grid grid-cols-[minmax(0,1fr)] gap-5', className)}>
      {children}
      <ActionProblem
        keepsInput
        action={form}
        rateLimit={rateLimit}
        notDone={notDone}
        unknown={unknown}
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <ActionButton
          type="submit"
          variant={variant}
          className="max-sm:w-full"
          action={form}
          disabledReason={disabledReason}
        >
          {submit}
        </ActionButton>
        {success === null && note !== undefined && (
          <span className="text-small text-ink-3">{note}</span>
        )}
      </div>
      <SuccessMessage>{success}</SuccessMessage>
    </Form>
  );
}
