import type { ActionFailure } from '#lib/actions/action-result.ts';

/** The first message about each of a form's fields. Empty if the failure is about none of them. */
export function fieldErrorsOf<Field extends string>(
  { details }: Pick<ActionFailure, 'details'>,
  fields: readonly Field[],
): Partial<Record<Field, string>> {
  const found: Partial<Record<Field, string>> = {};
  for (const field of fields) {
    const message = details?.[field]?.[0];
    if (message !== undefined) found[field] = message;
  }
  return found;
}
