'use client';

import { type RefObject, useState } from 'react';

import { type RefusalState, useRefusal } from '#components/shell/use-refusal.ts';
import { useFirstInvalid } from '#components/ui/use-first-invalid.ts';
import type { ActionFailure } from '#lib/actions/action-result.ts';

import {
  type ApiKeyDraft,
  type DraftErrors,
  errorsOfDetails,
  errorsOfDraft,
  hasWrongNetwork,
} from './api-key-draft.ts';

type ApiKeyForm = Pick<RefusalState, 'failure' | 'deadline' | 'secondsLeft'> & {
  form: RefObject<HTMLFormElement | null>;
  draft: ApiKeyDraft;
  change: (part: Partial<ApiKeyDraft>) => void;
  /** Messages by field. */
  errors: DraftErrors;
  /** Whether the form was sent once. */
  hasTried: boolean;
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
  const { failure, setFailure, deadline, secondsLeft, refuse } = useRefusal();
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
    change: (part) => setDraft((before) => ({ ...before, ...part })),
    errors,
    hasTried,
    failure,
    deadline,
    secondsLeft,
    check,
    refuse: (result) => refuse(result, tell),
  };
}
