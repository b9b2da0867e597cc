import { countOf } from './count.ts';

/**
 * Names as people write them: "Ida", "Ida and Tom", "Ida, Tom and Ann". If there are more than
 * `most` + 1, the first `most` and how many others there are: "Ida, Tom and 3 others". A single
 * name is never replaced by "1 other". Empty for no names.
 */
export function listNames(names: readonly string[], { most }: { most: number }): string {
  const others = names.length - most;
  const parts = others > 1 ? [...names.slice(0, most), countOf(others, 'other')] : names;
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}
