import type { OperatorContext } from '../people/members/operator/operator.ts';
import { findPersonIdByEmail, listNewestSearches } from './store/searches.ts';
import type { DeskSearchRow } from './store/searches.ts';

/** `no_person`: nobody has the email address. */
export type ListedSearches = { kind: 'listed'; searches: DeskSearchRow[] } | { kind: 'no_person' };

/**
 * The newest searches at the support desk, of all people or of the person with an email address.
 */
export async function listSearchesAsOperator(
  { db }: OperatorContext,
  { email, limit }: { email: string | null; limit: number },
): Promise<ListedSearches> {
  const personId = email === null ? null : await findPersonIdByEmail(db, email);
  if (email !== null && personId === null) return { kind: 'no_person' };
  return { kind: 'listed', searches: await listNewestSearches(db, { personId, limit }) };
}
