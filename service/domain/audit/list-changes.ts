import { isDeepStrictEqual } from 'node:util';
import { inApiForm } from './in-api-form.ts';

/**
 * The difference between two states, in the form of audit entries: each changed field with its
 * values `from` and `to`. Fields have the names of the API. Fields that are undefined in the new
 * state or unchanged are left out.
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
