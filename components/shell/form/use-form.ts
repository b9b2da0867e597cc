'use client';

import { type RefObject, useState } from 'react';

import type { ActionFailure, ActionResult } from '#lib/actions/action-result.ts';
import { catchFailedCall } from '#lib/actions/catch-failed-call.ts';

import { isIdentityPromptCancelled } from '../actions/use-run-action.ts';
import {
  type ActionHandlers,
  type ActionState,
  type Sending,
  useSending,
} from '../actions/use-sending.ts';
import type { FieldErrors } from './group-errors-by-field.ts';
import { useFieldErrors } from './use-field-errors.ts';

type FormOptions<Values, Done extends object> = {
  /** The values at first. Each is named as its field in the API. */
  initial: Values;
  /** Returns the errors that can be found without the service. */
  validate?: (values: Values) => FieldErrors<keyof Values & string>;
  /** How many fields show errors of their own. */
  countOwnErrors?: (values: Values) => number;
  /** The fields at which an error can be shown now. By default all. */
  shownFields?: (values: Values) => readonly (keyof Values & string)[];
  /** Sends the values. Called only if no error was found. */
  send: (values: Values) => Promise<ActionResult<Done>>;
  /** The form is pending until this ends. */
  onDone: (result: Done) => void | Promise<void>;
  /** Called if somebody else removed what the form is about. By default that is a failure. */
  onNotFound?: () => void;
  /**
   * Handles a failure, not a rate limit. `show` shows it at its fields, and the rest as a whole.
   */
  onFailure?: (failure: ActionFailure, show: (failure: ActionFailure) => void) => void;
  /**
   * Whether the form is sent in the background: navigations, and an action that waits for this
   * form, do not wait for its action.
   */
  isInBackground?: boolean;
};

/** What a form shows besides its fields. */
export type FormState = ActionState & {
  /** For the form element. */
  attributes: {
    form: RefObject<HTMLFormElement | null>;
    errorCount: number;
    onSubmit: () => void;
  };
  /** Removes `failure`, because what it is about has changed. */
  clearFailure: () => void;
};

/** What the fields of a form show. */
export type FormFields<Values> = {
  values: Values;
  /** Changes values and removes the errors of their fields. */
  change: (part: Partial<Values>) => void;
  errors: FieldErrors<keyof Values & string>;
  /** Whether a value differs from its initial value. */
  isChanged: boolean;
  /** Whether the form was submitted once. */
  hasTried: boolean;
};

/**
 * The state of a form: values, errors, submission. If the form or the service finds errors, they
 * are shown at their fields, and the first of these takes the focus. An error about no field is
 * `failure`.
 */
export function useForm<Values extends object, Done extends object>(
  options: FormOptions<Values, Done>,
): FormState & FormFields<Values> {
  return useFormState(useSending({ isCancelled: isIdentityPromptCancelled }), options);
}

/** Like `useForm`, where nobody is signed in yet. */
export function usePublicForm<Values extends object, Done extends object>({
  send,
  ...options
}: FormOptions<Values, Done>): FormState & FormFields<Values> {
  return useFormState(useSending(), {
    send: async (values) => await catchFailedCall(send(values)),
    ...options,
  });
}

function useFormState<Values extends object, Done extends object>(
  { send: sendAction, sendInBackground, clearFailure, ...action }: Sending,
  {
    initial,
    validate = () => ({}),
    countOwnErrors = () => 0,
    shownFields = fieldsOf,
    send,
    onDone,
    onNotFound,
    onFailure = (failure, show) => show(failure),
    isInBackground = false,
  }: FormOptions<Values, Done>,
): FormState & FormFields<Values> {
  const [values, setValues] = useState(initial);
  const { form, errors, errorCount, showErrors, clearError, showFailure } = useFieldErrors(
    shownFields(values),
  );
  const [hasTried, setHasTried] = useState(false);

  function change(part: Partial<Values>) {
    setValues((before) => ({ ...before, ...part }));
    for (const field of fieldsOf(part)) clearError(field);
  }

  function submit() {
    setHasTried(true);
    clearFailure();
    const ownCount = countOwnErrors(values);
    if (showErrors(validate(values), ownCount) || ownCount > 0) return;
    const handlers: ActionHandlers<Done> = {
      onDone,
      ...(onNotFound && { onNotFound }),
      onFailure: (failure, showWhole) =>
        onFailure(failure, (shown) => showFailure(shown, showWhole)),
    };
    if (isInBackground) void sendInBackground(() => send(values), handlers);
    else sendAction(() => send(values), handlers);
  }

  return {
    attributes: { form, errorCount, onSubmit: submit },
    values,
    change,
    errors,
    isChanged: JSON.stringify(values) !== JSON.stringify(initial),
    hasTried,
    clearFailure,
    ...action,
  };
}

function fieldsOf<Values extends object>(values: Values): (keyof Values & string)[] {
  return Object.keys(values) as (keyof Values & string)[];
}
