import type { Member } from '#lib/contract/people/members.ts';
import { listNames } from '#lib/list-names.ts';

/** "Ida", "Ida and Tom", "Ida, Tom and 3 others"; null if nobody has the role Support. */
export function describeSupportMembers(members: readonly Member[]): string | null {
  const names = members.filter(({ role }) => role === 'support').map(({ name }) => name);
  return names.length === 0 ? null : listNames(names, { most: 2 });
}
