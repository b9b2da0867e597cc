'use client';

import { type RefObject, useState } from 'react';

import {
  type ActionFailureState,
  useActionFailure,
} from '#components/shell/actions/use-action-failure.ts';
import { useFirstInvalid } from '#components/ui/inputs/use-first-invalid.ts';
import type { ActionFailure } from '#lib/actions/action-result.ts';

import {
  type ApiKeyDraft,
  type DraftErrors,
  groupErrorsByField,
  validateDraft,
  hasInvalidNetwork,
} from './api-key-draft.ts';

type ApiKeyForm = Pick<ActionFailureState, 'failure' | 'deadline' | 'secondsLeft'> & {
  form: RefObject<HTMLFormElement | null>;
  draft: ApiKeyDraft;
  change: (part: Partial<ApiKeyDraft>) => void;
  /** Error messages by field. */
  errors: DraftErrors;
  /** Whether the form was submitted once. */
  hasTried: boolean;
  /** Marks invalid fields, moves the focus to the first, and returns whether there are none. */
  validate: () => boolean;
  /** Shows a failed action at the fields it is about, or as `failure`. */
  handleFailure: (result: ActionFailure) => void;
};

/** The state of the key form, for new and for existing keys: values, errors, failure. */
export function useApiKeyForm(initial: ApiKeyDraft): ApiKeyForm {
  const [draft, setDraft] = useState(initial);
  const [errors, setErrors] = useState<DraftErrors>({});
  const [hasTried, setTried] = useState(false);
  const { failure, setFailure, deadline, secondsLeft, handleFailure } = useActionFailure();
  const { form, focusFirstInvalid } = useFirstInvalid();

  function validate(): boolean {
    const found = validateDraft(draft, new Date());
    setTried(true);
    setFailure(null);
    setErrors(found);
    const isValid = Object.keys(found).length === 0 && !hasInvalidNetwork(draft);
    if (!isValid) focusFirstInvalid();
    return isValid;
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
    change: (part) => setDraft((before) => ({ ...before, ...part })),
    errors,
    hasTried,
    failure,
    deadline,
    secondsLeft,
    validate,
    handleFailure: (result) => handleFailure(result, showFailure),
  };
}
