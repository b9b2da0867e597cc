import type { ErrorDetails } from '#lib/contract/error-codes.ts';

/** Error messages by field. */
export type FieldErrors<Values> = { [Field in keyof Values]?: string };

/**
 * Assigns the service's messages to the fields of a form. `rest` are messages about no field of it.
 * @param values the form's values, named as the API's fields
 */
export function groupErrorsByField<Values extends object>(
  details: ErrorDetails,
  values: Values,
): { errors: FieldErrors<Values>; rest: string[] } {
  const errors: FieldErrors<Values> = {};
  const rest: string[] = [];
  for (const [name, messages] of Object.entries(details)) {
    if (isField(values, name)) errors[name] = messages.join(' ');
    else rest.push(...messages);
  }
  return { errors, rest };
}

function isField<Values extends object>(values: Values, name: PropertyKey): name is keyof Values {
  return Object.hasOwn(values, name);
}
