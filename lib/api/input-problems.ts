import type { z } from 'zod';
import type { ErrorDetails } from '../contract/error-codes.ts';

/** What is wrong with an input: messages by field, or under `body` if about no single field. */
export function inputProblems({ issues }: z.ZodError): ErrorDetails {
  const details = new Map<string, string[]>();
  for (const issue of issues) {
    const [part = 'body', field = part] = issue.path.map(String);
    // zod's own message would repeat the names, which may be very long.
    const message = issue.code === 'unrecognized_keys' ? 'A field is unknown.' : issue.message;
    const known = details.get(field) ?? [];
    if (!known.includes(message)) details.set(field, [...known, message]);
  }
  return Object.fromEntries(details);
}
