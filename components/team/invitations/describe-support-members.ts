import type { Member } from '#lib/contract/people/members.ts';
import { countOf } from '#lib/count.ts';

/** "Ida", "Ida and Tom", "Ida, Tom and 3 others"; null if nobody has the role Support. */
export function describeSupportMembers(members: readonly Member[]): string | null {
  const [first, second, third, ...rest] = members
    .filter(({ role }) => role === 'support')
    .map(({ name }) => name);
  if (first === undefined) return null;
  if (second === undefined) return first;
  if (third === undefined) return `${first} and ${second}`;
  const others = rest.length === 0 ? third : countOf(rest.length + 1, 'other');
  return `${first}, ${second} and ${others}`;
}
