'use client';

import { type RefObject, useState } from 'react';

import { type RefusalState, useRefusal } from '#components/shell/use-refusal.ts';
import { useFirstInvalid } from '#components/ui/use-first-invalid.ts';
import type { ActionFailure } from '#lib/actions/action-result.ts';

import { type DraftErrors, errorsOfDetails, type WebhookDraft } from './webhook-draft.ts';

export type WebhookForm = Pick<RefusalState, 'failure' | 'deadline' | 'secondsLeft'> & {
  form: RefObject<HTMLFormElement | null>;
  draft: WebhookDraft;
  change: (part: Partial<WebhookDraft>) => void;
  /** Messages by field. */
  errors: DraftErrors;
  /** To be called as the form is sent. */
  begin: () => void;
  /** Puts a refusal where it belongs; the first invalid field takes the focus. */
  refuse: (result: ActionFailure) => void;
};

/** The form of a webhook, new or to be changed: what stands in it and what is wrong with it. */
export function useWebhookForm(initial: WebhookDraft): WebhookForm {
  const [draft, setDraft] = useState(initial);
  const [errors, setErrors] = useState<DraftErrors>({});
  const { failure, setFailure, deadline, secondsLeft, refuse } = useRefusal();
  const { form, focusFirstInvalid } = useFirstInvalid();

  function change(part: Partial<WebhookDraft>) {
    setDraft((before) => ({ ...before, ...part }));
    setErrors((before) =>
      Object.fromEntries(Object.entries(before).filter(([field]) => !(field in part))),
    );
  }

  function tell(result: ActionFailure) {
    const told = errorsOfDetails(result.details ?? {});
    setErrors(told.errors);
    focusFirstInvalid();
    if (told.rest.length > 0) setFailure({ ...result, message: told.rest.join(' ') });
    else if (Object.keys(told.errors).length === 0) setFailure(result);
  }

  return {
    form,
    draft,
    change,
    errors,
    failure,
    deadline,
    secondsLeft,
    begin: () => setFailure(null),
    refuse: (result) => refuse(result, tell),
  };
}
