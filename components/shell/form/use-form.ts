'use client';

import { type ComponentProps, type SubmitEvent, useState, useTransition } from 'react';

import { useFirstInvalid } from '#components/ui/inputs/use-first-invalid.ts';
import type { ActionFailure } from '#lib/actions/action-result.ts';

import { type ActionFailureState, useActionFailure } from '../actions/use-action-failure.ts';
import { type FieldErrors, groupErrorsByField } from './group-errors-by-field.ts';

type FormOptions<Values, Done> = {
  /** The values at first. Each is named as its field in the API. */
  initial: Values;
  /** Returns the errors that can be found without the service. */
  validate?: (values: Values) => FieldErrors<Values>;
  /** Whether fields that show their own errors have one. */
  hasOwnErrors?: (values: Values) => boolean;
  /** Sends the values. Called only if no error was found. */
  send: (values: Values) => Promise<Done | ActionFailure>;
  /** The form is pending until this ends. */
  onDone: (result: Done) => void | Promise<void>;
};

/** What a form shows besides its fields. */
export type FormState = Pick<ActionFailureState, 'failure' | 'deadline' | 'secondsLeft'> & {
  /** For the form element. */
  attributes: Pick<ComponentProps<'form'>, 'ref' | 'method' | 'noValidate' | 'onSubmit'>;
  isPending: boolean;
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
export function useForm<Values extends object, Done extends { ok: true }>({
  initial,
  validate = () => ({}),
  hasOwnErrors = () => false,
  send,
  onDone,
}: FormOptions<Values, Done>): FormState & FormFields<Values> {
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<FieldErrors<Values>>({});
  const [hasTried, setTried] = useState(false);
  const [isPending, startTransition] = useTransition();
  const { failure, setFailure, deadline, secondsLeft, handleFailure } = useActionFailure();
  const { form, focusFirstInvalid } = useFirstInvalid();

  function change(part: Partial<Values>) {
    setValues((before) => ({ ...before, ...part }));
    setErrors((before) => withoutFields(before, part));
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const found = validate(values);
    setTried(true);
    setFailure(null);
    setErrors(found);
    if (Object.keys(found).length > 0 || hasOwnErrors(values)) {
      focusFirstInvalid();
      return;
    }
    startTransition(async () => {
      const result = await send(values);
      if (result.ok) await onDone(result);
      else handleFailure(result, showFailure);
    });
  }

  function showFailure(result: ActionFailure) {
    const { errors: found, rest } = groupErrorsByField(result.details ?? {}, values);
    setErrors(found);
    focusFirstInvalid();
    if (rest.length > 0) setFailure({ ...result, message: rest.join(' ') });
    else if (Object.keys(found).length === 0) setFailure(result);
  }

  return {
    attributes: { ref: form, method: 'post', noValidate: true, onSubmit: submit },
    values,
    change,
    errors,
    hasTried,
    isPending,
    failure,
    deadline,
    secondsLeft,
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
