/** The fields of a form that a person changed, so that no other is written. */
export function changedFields<Values extends object>(
  values: Values,
  before: Values,
): Partial<Values> {
  return pickFields(values, (field) => values[field] !== before[field]);
}

/** The current values of fields that only someone else changed since the form began. */
export function untouchedFields<Values extends object>(
  values: Values,
  { before, now }: { before: Values; now: Values },
): Partial<Values> {
  return pickFields(now, (field) => values[field] === before[field]);
}

function pickFields<Values extends object>(
  values: Values,
  isPicked: (field: keyof Values) => boolean,
): Partial<Values> {
  const fields = Object.keys(values) as (keyof Values)[];
  return Object.fromEntries(
    fields.filter(isPicked).map((field) => [field, values[field]]),
  ) as Partial<Values>;
}
