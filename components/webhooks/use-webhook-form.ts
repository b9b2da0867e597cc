'use client';

import { type RefObject, useState } from 'react';

import {
  type Deadline,
  deadlineAfter,
  useSecondsLeft,
} from '#components/shell/rate-limit-notice.tsx';
import { isLeft } from '#components/shell/use-act.ts';
import { useFirstInvalid } from '#components/ui/use-first-invalid.ts';
import type { ActionFailure } from '#lib/actions/action-result.ts';

import { type DraftErrors, errorsOfDetails, type WebhookDraft } from './webhook-draft.ts';

export type WebhookForm = {
  form: RefObject<HTMLFormElement | null>;
  draft: WebhookDraft;
  change: (part: Partial<WebhookDraft>) => void;
  /** Messages by field. */
  errors: DraftErrors;
  /** What the service refused that belongs to no single field. */
  failure: ActionFailure | null;
  /** The rate limit's end, and how far away it is. */
  deadline: Deadline | null;
  secondsLeft: number;
  /** To be called as the form is sent. */
  begin: () => void;
  /** Puts a refusal where it belongs; the first invalid field takes the focus. */
  refuse: (result: ActionFailure) => void;
};

/** The form of a webhook, new or to be changed: what stands in it and what is wrong with it. */
export function useWebhookForm(initial: WebhookDraft): WebhookForm {
  const [draft, setDraft] = useState(initial);
  const [errors, setErrors] = useState<DraftErrors>({});
  const [failure, setFailure] = useState<ActionFailure | null>(null);
  const [deadline, setDeadline] = useState<Deadline | null>(null);
  const secondsLeft = useSecondsLeft(deadline);
  const { form, focusFirstInvalid } = useFirstInvalid();

  function change(part: Partial<WebhookDraft>) {
    setDraft((before) => ({ ...before, ...part }));
    setErrors((before) =>
      Object.fromEntries(Object.entries(before).filter(([field]) => !(field in part))),
    );
  }

  function refuse(result: ActionFailure) {
    if (isLeft(result)) return;
    if (result.code === 'RATE_LIMIT_EXCEEDED') {
      setDeadline(deadlineAfter(result.retryAfter ?? 60));
      return;
    }
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
    refuse,
  };
}
