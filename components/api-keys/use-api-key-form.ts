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

import {
  type ApiKeyDraft,
  type DraftErrors,
  errorsOfDetails,
  errorsOfDraft,
  hasWrongNetwork,
} from './api-key-draft.ts';

type ApiKeyForm = {
  form: RefObject<HTMLFormElement | null>;
  draft: ApiKeyDraft;
  change: (part: Partial<ApiKeyDraft>) => void;
  /** Messages by field. */
  errors: DraftErrors;
  /** Whether the form was sent once. */
  hasTried: boolean;
  /** What the service refused that belongs to no single field. */
  failure: ActionFailure | null;
  /** The rate limit's end, and how far away it is. */
  deadline: Deadline | null;
  secondsLeft: number;
  /** Whether the draft can be sent; what is wrong with it is marked and focused. */
  check: () => boolean;
  /** Puts a refusal where it belongs. */
  refuse: (result: ActionFailure) => void;
};

/** The form of a key, new or to be changed: what stands in it and what is wrong with it. */
export function useApiKeyForm(initial: ApiKeyDraft): ApiKeyForm {
  const [draft, setDraft] = useState(initial);
  const [errors, setErrors] = useState<DraftErrors>({});
  const [hasTried, setTried] = useState(false);
  const [failure, setFailure] = useState<ActionFailure | null>(null);
  const [deadline, setDeadline] = useState<Deadline | null>(null);
  const secondsLeft = useSecondsLeft(deadline);
  const { form, focusFirstInvalid } = useFirstInvalid();

  function check(): boolean {
    const found = errorsOfDraft(draft, new Date());
    setTried(true);
    setFailure(null);
    setErrors(found);
    const isRight = Object.keys(found).length === 0 && !hasWrongNetwork(draft);
    if (!isRight) focusFirstInvalid();
    return isRight;
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
    change: (part) => setDraft((before) => ({ ...before, ...part })),
    errors,
    hasTried,
    failure,
    deadline,
    secondsLeft,
    check,
    refuse,
  };
}
