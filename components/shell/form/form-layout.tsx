import type { ReactNode, Ref } from 'react';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { Form } from '#components/ui/inputs/form/form.tsx';
import { cn } from '#lib/class-names/cn.ts';
import { RateLimitNotice } from '../feedback/rate-limit-notice.tsx';
import { ActionButton } from '../actions/action-button.tsx';
import type { FormState } from './use-form.ts';

export type FormLayoutProps = {
  form: FormState;
  children: ReactNode;
  /** What the values mean; next to the fields, on a narrow page below them. */
  summary?: ReactNode;
  /** Shows the failure, if `form.failure` is set. */
  failure: ReactNode;
  submit: string;
  submitRef?: Ref<HTMLButtonElement>;
  /** Why the button is disabled, other than by a rate limit. */
  disabledReason?: string | undefined;
  /** The form was submitted, and a second press would do it again. */
  isDone?: boolean;
  /** Where Cancel leads. */
  cancelHref: string;
};

/** A form: fields, summary, failure, and the buttons to submit and to cancel. */
export function FormLayout({
  form,
  children,
  summary,
  failure,
  submit,
  submitRef,
  disabledReason,
  isDone = false,
  cancelHref,
}: FormLayoutProps) {
  return (
    <Form
      {...form.attributes}
      className={cn(
        'grid grid-cols-[minmax(0,1fr)] gap-y-8',
        summary === undefined
          ? 'content-start'
          : 'gap-x-14 min-[64rem]:grid-cols-[minmax(0,40.5rem)_minmax(12rem,1fr)]',
      )}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8">{children}</div>
      {summary}
      <div className="grid gap-4">
        <RateLimitNotice keepsInput deadline={form.deadline} />
        {form.failure && failure}
        <div className="flex flex-wrap gap-2 border-t border-line pt-5 max-sm:*:flex-1">
          <ActionButton
            ref={submitRef}
            type="submit"
            variant="primary"
            action={{ ...form, isPending: form.isPending || isDone }}
            disabledReason={disabledReason}
          >
            {submit}
          </ActionButton>
          <ButtonLink variant="ghost" href={cancelHref}>
            Cancel
          </ButtonLink>
        </div>
      </div>
    </Form>
  );
}
