import { isDeepStrictEqual } from 'node:util';
import { formatApiTime } from '#lib/time.ts';

/**
 * What a change makes different, as audit entries say it: each field with its value `from` before
 * and `to` after it. Fields are named as in the API; those that are undefined after it, or the same
 * as before, are left out.
 */
export function listChanges(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Record<string, { from: unknown; to: unknown }> {
  const changes: Record<string, { from: unknown; to: unknown }> = {};
  for (const [name, value] of Object.entries(after)) {
    const [from, to] = [inApiForm(before[name]), inApiForm(value)];
    if (to !== undefined && !isDeepStrictEqual(from, to)) changes[name] = { from, to };
  }
  return changes;
}

function inApiForm(value: unknown): unknown {
  return value instanceof Date ? formatApiTime(value) : value;
}
