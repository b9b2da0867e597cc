import { fieldLabel, fieldWords } from './field-label.ts';

/** One field of an entry's changes: its value before, if that is recorded, and its value after. */
export type FieldChange = { field: string; before?: unknown; after?: unknown };

/**
 * The changes of an entry by field. Entries write them in one of four forms: a field with `from`
 * and `to`; all fields `before` and all `after`; a field and its `previous_` one; or a value
 * alone, which is the value after the change or a fact about the act.
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

/** A part of a line: text, or a time, which is shown in the reader's time zone. */
export type LinePart = string | { time: string };

/** The value of a field as people read it, with a line for each element of a list. */
export function linesOf(field: string, value: unknown): LinePart[][] {
  if (value === null || value === undefined || value === '') return [[emptyOf(field)]];
  if (!Array.isArray(value)) return [lineOf(field, value)];
  return value.length === 0
    ? [[emptyOf(field)]]
    : value.flatMap((each: unknown) => linesOf(field, each));
}

function lineOf(field: string, value: unknown): LinePart[] {
  if (typeof value === 'string') {
    return isTimeField(field) && isApiTime(value) ? [{ time: value }] : [value];
  }
  if (typeof value === 'boolean') return [value ? 'Yes' : 'No'];
  // A filter is a rule, whose operators are no fields.
  if (!isRecord(value) || field === 'filter') return [JSON.stringify(value)];
  return Object.entries(value).flatMap(([name, part], index) => [
    `${index === 0 ? fieldLabel(name) : `, ${fieldWords(name)}`}: `,
    ...linesOf(name, part).flatMap((line, at) => (at === 0 ? line : [', ', ...line])),
  ]);
}

/** The text for a field without a value, such as `None`, or `Default` for a limit. */
function emptyOf(field: string): string {
  return empty.get(field) ?? 'None';
}

const empty = new Map([
  ['allowed_cidrs', 'Any'],
  ['expires_at', 'Never'],
  ['max_keys', 'Default'],
  ['max_webhooks', 'Default'],
  ['rate_limit_per_minute', 'Default'],
  ['responsible', 'Nobody'],
  ['second_factor_required_from', 'Not required'],
]);

// Text that a person wrote, such as a name, stays as it is, no matter what it looks like.
function isTimeField(field: string): boolean {
  return /(^|_)(at|from|since|until)$/.test(field);
}

function isApiTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/.test(text);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
