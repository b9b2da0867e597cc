import type { ErrorDetails } from '#lib/contract/error-codes.ts';

export type FieldErrors<Field extends string> = Partial<Record<Field, string>>;

/** Assigns the service's messages to the fields of a form. `rest` is about no field of it. */
export function groupErrorsByField<Field extends string>(
  details: ErrorDetails,
  fields: readonly Field[],
): { errors: FieldErrors<Field>; rest: ErrorDetails } {
  const errors: FieldErrors<Field> = {};
  const rest: ErrorDetails = {};
  for (const [name, messages] of Object.entries(details)) {
    // A message about a part of a field, such as `headers.X-Shop`, is shown at the field.
    const field = fields.find((known) => known === name || name.startsWith(`${known}.`));
    if (field === undefined) rest[name] = messages;
    else errors[field] = messages.join(' ');
  }
  return { errors, rest };
}
