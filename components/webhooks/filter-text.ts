import { parseJson } from '#lib/parse-json.ts';

/** A filter as text: on one line if it is short. */
export function formatFilter(filter: object): string {
  const line = JSON.stringify(filter);
  return line.length <= 72 ? line : JSON.stringify(filter, null, 2);
}

/** A filter that was typed: null for none. What is no JSON object is empty, which the API refuses. */
export function parseFilter(typed: string): Record<string, unknown> | null {
  if (typed.trim() === '') return null;
  const parsed = parseJson(typed);
  return typeof parsed === 'object' && !Array.isArray(parsed) ? { ...parsed } : {};
}
