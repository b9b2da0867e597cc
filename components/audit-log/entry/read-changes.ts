/** What an entry says of a field: what it was, where that is recorded, and what it became. */
export type FieldChange = { field: string; before?: unknown; after?: unknown };

/**
 * The changes of an entry by field. Entries write them in one of four forms: a field with `from` and
 * `to`; all fields `before` and all `after`; a field beside its `previous_` one; or a value alone,
 * which is what it became, or a fact about the act.
 */
export function readChanges(changes: Record<string, unknown> | null): FieldChange[] {
  if (changes === null) return [];
  const { before, after } = changes;
  if (isRecord(before) && isRecord(after)) {
    return [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
      .map((field) => ({ field, before: before[field], after: after[field] }));
  }
  return Object.entries(changes).flatMap(([field, value]): FieldChange[] => {
    if (isRecord(value) && 'from' in value && 'to' in value) {
      return [{ field, before: value['from'], after: value['to'] }];
    }
    if (field.startsWith('previous_') && field.slice('previous_'.length) in changes) return [];
    const previous = `previous_${field}`;
    return [{ field, ...(previous in changes && { before: changes[previous] }), after: value }];
  });
}

/** A value as people read it, a line for each of a list. */
export function linesOf(value: unknown): string[] {
  if (value === null || value === '') return ['None'];
  if (Array.isArray(value)) return value.length === 0 ? ['None'] : value.flatMap(linesOf);
  if (typeof value === 'string') return [value];
  if (typeof value === 'boolean') return [value ? 'Yes' : 'No'];
  return [JSON.stringify(value)];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
