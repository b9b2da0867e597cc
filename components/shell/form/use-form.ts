'use client';

import { useState } from 'react';

import type { FormProps } from '#components/ui/inputs/form.tsx';
import type { ActionResult } from '#lib/actions/action-result.ts';

import { isIdentityPromptCancelled } from '../actions/use-run-action.ts';
import { type ActionState, useSending } from '../actions/use-sending.ts';
import type { FieldErrors } from './group-errors-by-field.ts';
import { useFieldErrors } from './use-field-errors.ts';

type FormOptions<Values, Done extends object> = {
  /** The values at first. Each is named as its field in the API. */
  initial: Values;
  /** Returns the errors that can be found without the service. */
  validate?: (values: Values) => FieldErrors<keyof Values & string>;
  /** How many fields show errors of their own. */
  countOwnErrors?: (values: Values) => number;
  /** Sends the values. Called only if no error was found. */
  send: (values: Values) => Promise<ActionResult<Done>>;
  /** The form is pending until this ends. */
  onDone: (result: Done) => void | Promise<void>;
};

/** What a form shows besides its fields. */
export type FormState = ActionState & {
  /** For the form element. */
  attributes: Pick<FormProps, 'form' | 'errorCount' | 'onSubmit'>;
};

/** What the fields of a form show. */
export type FormFields<Values> = {
  values: Values;
  /** Changes values and removes the errors of their fields. */
  change: (part: Partial<Values>) => void;
  errors: FieldErrors<keyof Values & string>;
  /** Whether the form was submitted once. */
  hasTried: boolean;
};

/**
 * The state of a form: values, errors, submission. If the form or the service finds errors, they are
 * shown at their fields, and the first of these takes the focus. What is about no field is
 * `failure`.
 */
export function useForm<Values extends object, Done extends object>({
  initial,
  validate = () => ({}),
  countOwnErrors = () => 0,
  send,
  onDone,
}: FormOptions<Values, Done>): FormState & FormFields<Values> {
  const [values, setValues] = useState(initial);
  const { form, errors, errorCount, showErrors, clearError, showFailure } = useFieldErrors(
    fieldsOf(initial),
  );
  const [hasTried, setTried] = useState(false);
  const { send: sendAction, clearFailure, ...action } = useSending(isIdentityPromptCancelled);

  function change(part: Partial<Values>) {
    setValues((before) => ({ ...before, ...part }));
    for (const field of fieldsOf(part)) clearError(field);
  }

  function submit() {
    setTried(true);
    clearFailure();
    const ownCount = countOwnErrors(values);
    if (showErrors(validate(values), ownCount) || ownCount > 0) return;
    sendAction(() => send(values), { onDone, onFailure: showFailure });
  }

  return {
    attributes: { form, errorCount, onSubmit: submit },
    values,
    change,
    errors,
    hasTried,
    ...action,
  };
}

function fieldsOf<Values extends object>(values: Values): (keyof Values & string)[] {
  return Object.keys(values) as (keyof Values & string)[];
}
