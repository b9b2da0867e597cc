'use client';

import { type ComponentProps, type SubmitEvent, useState } from 'react';

import { useFirstInvalid } from '#components/ui/inputs/use-first-invalid.ts';
import type { ActionFailure, ActionResult } from '#lib/actions/action-result.ts';

import { isIdentityPromptCancelled } from '../actions/use-run-action.ts';
import { type ActionState, useSending } from '../actions/use-sending.ts';
import { type FieldErrors, groupErrorsByField } from './group-errors-by-field.ts';

type FormOptions<Values, Done extends object> = {
  /** The values at first. Each is named as its field in the API. */
  initial: Values;
  /** Returns the errors that can be found without the service. */
  validate?: (values: Values) => FieldErrors<Values>;
  /** Whether fields that show their own errors have one. */
  hasOwnErrors?: (values: Values) => boolean;
  /** Sends the values. Called only if no error was found. */
  send: (values: Values) => Promise<ActionResult<Done>>;
  /** The form is pending until this ends. */
  onDone: (result: Done) => void | Promise<void>;
};

/** What a form shows besides its fields. */
export type FormState = ActionState & {
  /** For the form element. */
  attributes: Pick<ComponentProps<'form'>, 'ref' | 'method' | 'noValidate' | 'onSubmit'>;
};

/** What the fields of a form show. */
export type FormFields<Values> = {
  values: Values;
  /** Changes values and removes the errors of their fields. */
  change: (part: Partial<Values>) => void;
  errors: FieldErrors<Values>;
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
  hasOwnErrors = () => false,
  send,
  onDone,
}: FormOptions<Values, Done>): FormState & FormFields<Values> {
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<FieldErrors<Values>>({});
  const [hasTried, setTried] = useState(false);
  const { send: sendAction, clearFailure, ...action } = useSending(isIdentityPromptCancelled);
  const { form, focusFirstInvalid } = useFirstInvalid();

  function change(part: Partial<Values>) {
    setValues((before) => ({ ...before, ...part }));
    setErrors((before) => withoutFields(before, part));
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const found = validate(values);
    setTried(true);
    clearFailure();
    setErrors(found);
    if (Object.keys(found).length > 0 || hasOwnErrors(values)) {
      focusFirstInvalid();
      return;
    }
    sendAction(() => send(values), { onDone, onFailure: showFailure });
  }

  function showFailure(result: ActionFailure, show: (failure: ActionFailure) => void) {
    const { errors: found, rest } = groupErrorsByField(result.details ?? {}, values);
    setErrors(found);
    focusFirstInvalid();
    if (rest.length > 0) show({ ...result, message: rest.join(' ') });
    else if (Object.keys(found).length === 0) show(result);
  }

  return {
    attributes: { ref: form, method: 'post', noValidate: true, onSubmit: submit },
    values,
    change,
    errors,
    hasTried,
    ...action,
  };
}

function withoutFields<Values>(
  errors: FieldErrors<Values>,
  changed: Partial<Values>,
): FieldErrors<Values> {
  const others = { ...errors };
  for (const field in changed) delete others[field];
  return others;
}
