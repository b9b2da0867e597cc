'use client';

import { type RefObject, useState } from 'react';

import { useFirstInvalid } from '#components/ui/inputs/form/use-first-invalid.ts';

import type { FailureHandler } from '../actions/use-failure-state.ts';
import { type FieldErrors, groupErrorsByField } from './group-errors-by-field.ts';

type FieldErrorsState<Field extends string> = {
  /** For the form. */
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
  /**
   * For `onFailure`: shows the messages about these fields at the fields, and all others as one
   * failure.
   */
  showFailure: FailureHandler;
};

/** The errors at the fields of a form, found in the browser or by the service. */
export function useFieldErrors<Field extends string>(
  fields: readonly Field[],
): FieldErrorsState<Field> {
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
