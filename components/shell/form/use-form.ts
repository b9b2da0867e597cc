import { type RefObject, useEffect, useRef, useState } from 'react';
import type { ActionFailure, ActionResult } from '#lib/actions/action-result.ts';
import { catchFailedCall } from '#lib/actions/catch-failed-call.ts';
import type { FailureHandler } from '../actions/use-failure-state.ts';
import { isIdentityPromptCancelled, useRunAction } from '../actions/use-identity.ts';
import {
  type ActionHandlers,
  type ActionState,
  type Sending,
  useSending,
} from '../actions/use-sending.ts';
import { type FieldErrors, groupErrorsByField } from './group-errors-by-field.ts';

type FormOptions<Values, Done extends object> = {
  /** The values at first. Each is named as its field in the API. */
  initial: Values;
  /** Returns the errors that can be found without the service. */
  validate?: (values: Values) => FieldErrors<keyof Values & string>;
  /** How many fields show errors of their own. */
  countOwnErrors?: (values: Values) => number;
  /** The fields at which an error can be shown now. By default all. */
  shownFields?: (values: Values) => readonly (keyof Values & string)[];
  /** Calls the server action. Called only if no error was found. */
  send: (values: Values) => Promise<ActionResult<Done>>;
  /** The form is pending until this ends. */
  onDone: (result: Done) => void | Promise<void>;
  /** Called if someone else removed what the form is about. By default that is a failure. */
  onNotFound?: () => void;
  /** Handles a failure, not a rate limit. `show` shows it at its fields, the rest as a whole. */
  onFailure?: (failure: ActionFailure, show: (failure: ActionFailure) => void) => void;
  /**
   * Whether the form is sent in the background: navigations, and an action that waits for this
   * form, do not wait for its action.
   */
  isInBackground?: boolean;
  /** Whether `send` runs its server actions itself, with `useRunAction` or idempotently. */
  runsItself?: boolean;
};

/** What a form shows besides its fields. */
export type FormState = ActionState & {
  attributes: {
    form: RefObject<HTMLFormElement | null>;
    errorCount: number;
    onSubmit: () => void;
  };
  /** Removes `failure`, because what it is about has changed. */
  clearFailure: () => void;
};

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

/** Values, errors and submission of a form. `failure` is an error that is about no field. */
export function useForm<Values extends object, Done extends object>(
  options: FormOptions<Values, Done>,
): FormState & FormFields<Values> {
  const { send, runsItself = false } = options;
  const runAction = useRunAction();
  return useFormState(useSending({ isCancelled: isIdentityPromptCancelled }), {
    ...options,
    ...(!runsItself && { send: (values) => runAction(() => send(values)) }),
  });
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

type FieldErrorsState<Field extends string> = {
  form: RefObject<HTMLFormElement | null>;
  errors: FieldErrors<Field>;
  /** How many errors were found last; 0 once one of these fields was changed. */
  errorCount: number;
  /**
   * Replaces the errors, and moves the focus to the first. Returns whether there are any.
   * `ownCount`: how many fields show an error of their own besides.
   */
  showErrors: (found: FieldErrors<Field>, ownCount?: number) => boolean;
  clearError: (field: Field) => void;
  /** For `onFailure`: shows messages about these fields at them, all others as one failure. */
  showFailure: FailureHandler;
};

/** The errors at the fields of a form, found in the browser or by the service. */
function useFieldErrors<Field extends string>(fields: readonly Field[]): FieldErrorsState<Field> {
  const [errors, setErrors] = useState<FieldErrors<Field>>({});
  const [errorCount, setErrorCount] = useState(0);
  const { form, focusFirstInvalid } = useFirstInvalid();

  function showErrors(found: FieldErrors<Field>, ownCount = 0): boolean {
    const count = Object.keys(found).length;
    setErrors(found);
    setErrorCount(count + ownCount);
    focusFirstInvalid();
    return count > 0;
  }

  return {
    form,
    errors,
    errorCount,
    showErrors,
    clearError: (field) => {
      setErrorCount(0);
      setErrors((before) => {
        const others = { ...before };
        delete others[field];
        return others;
      });
    },
    showFailure: (failure, show) => {
      const { errors: found, rest } = groupErrorsByField(failure.details ?? {}, fields);
      const isAtFields = showErrors(found);
      if (!isAtFields || Object.keys(rest).length > 0) show({ ...failure, details: rest });
    },
  };
}

type FirstInvalid = {
  form: RefObject<HTMLFormElement | null>;
  /** Call it together with the state change that marks fields invalid. */
  focusFirstInvalid: () => void;
};

/** Moves the focus to the first invalid field after the next render. */
function useFirstInvalid(): FirstInvalid {
  const form = useRef<HTMLFormElement>(null);
  const [submitted, setSubmitted] = useState(0);
  useEffect(() => {
    if (submitted === 0) return;
    const marked = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    // A fieldset of radio buttons or checkboxes is marked invalid but cannot take the focus.
    const field = marked?.matches('fieldset')
      ? marked.querySelector<HTMLElement>('input:enabled')
      : marked;
    field?.focus();
    if (field instanceof HTMLInputElement) field.select();
  }, [submitted]);
  return { form, focusFirstInvalid: () => setSubmitted((before) => before + 1) };
}
