import type { z } from 'zod';
import type { ErrorDetails } from '#lib/contract/error-codes.ts';

/** Input as the route's schema parses it, or what is wrong with it. */
export type CheckedInput = { parsed: unknown } | { details: ErrorDetails };

/** Checks the body of a request with the route's schema, and parses it. */
export function checkInput(schema: z.ZodType, value: unknown): CheckedInput {
  return check(schema, value, 'This field is unknown.');
}

/** The same for the query of a request. */
export function checkQuery(schema: z.ZodType, value: unknown): CheckedInput {
  return check(schema, value, 'This parameter is unknown. Remove it.');
}

function check(schema: z.ZodType, value: unknown, unknownAdvice: string): CheckedInput {
  const result = schema.safeParse(value);
  if (result.success) return { parsed: result.data };
  return { details: detailsOf(result.error, unknownAdvice) };
}

/** Unknown fields that a response names, by their beginning: a client can send a megabyte. */
const maxUnknownNames = 20;
const maxUnknownNameLength = 100;

/** Messages by top-level field; messages about no single field are under `body`. */
function detailsOf(error: z.ZodError, unknownAdvice: string): ErrorDetails {
  const messages = new Map<string, Set<string>>();
  const add = (field: string, message: string) =>
    messages.set(field, (messages.get(field) ?? new Set()).add(message));
  // A text in place of a list is also too long for the list.
  const ofWrongType = new Set(
    error.issues.filter(({ code }) => code === 'invalid_type').map(({ path }) => path.join('.')),
  );
  for (const issue of error.issues) {
    if (issue.code !== 'invalid_type' && ofWrongType.has(issue.path.join('.'))) continue;
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys.slice(0, maxUnknownNames)) {
        add(key.slice(0, maxUnknownNameLength), unknownAdvice);
      }
    } else if (issue.code === 'invalid_type' && issue.path.length === 0) {
      add('body', 'Send a JSON object.');
    } else if (issue.path.length > 0) {
      add(String(issue.path[0]), issue.message);
    }
  }
  if (messages.size === 0) for (const issue of error.issues) add('body', issue.message);
  return Object.fromEntries([...messages].map(([field, texts]) => [field, [...texts]]));
}
