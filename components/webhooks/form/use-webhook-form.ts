'use client';

import { type RefObject, useState } from 'react';

import {
  type ActionFailureState,
  useActionFailure,
} from '#components/shell/actions/use-action-failure.ts';
import { useFirstInvalid } from '#components/ui/inputs/use-first-invalid.ts';
import type { ActionFailure } from '#lib/actions/action-result.ts';

import { type DraftErrors, groupErrorsByField, type WebhookDraft } from './webhook-draft.ts';

export type WebhookForm = Pick<ActionFailureState, 'failure' | 'deadline' | 'secondsLeft'> & {
  form: RefObject<HTMLFormElement | null>;
  draft: WebhookDraft;
  change: (part: Partial<WebhookDraft>) => void;
  /** Error messages by field. */
  errors: DraftErrors;
  /** Call it when the form is submitted. */
  clearFailure: () => void;
  /**
   * Shows a failed action at the fields it is about, or as `failure`, and moves the focus to the
   * first invalid field.
   */
  handleFailure: (result: ActionFailure) => void;
};

/** The state of the webhook form, for new and for existing webhooks: values, errors, failure. */
export function useWebhookForm(initial: WebhookDraft): WebhookForm {
  const [draft, setDraft] = useState(initial);
  const [errors, setErrors] = useState<DraftErrors>({});
  const { failure, setFailure, deadline, secondsLeft, handleFailure } = useActionFailure();
  const { form, focusFirstInvalid } = useFirstInvalid();

  function change(part: Partial<WebhookDraft>) {
    setDraft((before) => ({ ...before, ...part }));
    setErrors((before) =>
      Object.fromEntries(Object.entries(before).filter(([field]) => !(field in part))),
    );
  }

  function showFailure(result: ActionFailure) {
    const grouped = groupErrorsByField(result.details ?? {});
    setErrors(grouped.errors);
    focusFirstInvalid();
    if (grouped.rest.length > 0) setFailure({ ...result, message: grouped.rest.join(' ') });
    else if (Object.keys(grouped.errors).length === 0) setFailure(result);
  }

  return {
    form,
    draft,
    change,
    errors,
    failure,
    deadline,
    secondsLeft,
    clearFailure: () => setFailure(null),
    handleFailure: (result) => handleFailure(result, showFailure),
  };
}
