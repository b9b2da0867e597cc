import type { Tx } from '../../db/open.ts';
import type { DeskFinds } from '../../db/schema/people/support.ts';
import type { SignedInPerson } from '../actor.ts';
import type { OperatorContext } from '../people/members/operator/operator.ts';
import {
  deleteOldestSearches,
  findPersonIdByEmail,
  insertSearch,
  listNewestSearches,
  type DeskSearchRow,
} from './store/searches.ts';

/**
 * Adds a search to the record of the installation. Searches that found nothing, and so concern no
 * account, are recorded too.
 *
 * @param options.search null if a token was looked up, because nothing of it is stored
 */
export async function recordSearch(
  tx: Tx,
  { personId, personName, origin }: SignedInPerson,
  { search, found, now }: { search: string | null; found: Partial<DeskFinds>; now: Date },
): Promise<void> {
  await insertSearch(tx, {
    at: now,
    person: { kind: 'person', id: personId, name: personName },
    search,
    found: { accounts: 0, keys: 0, webhooks: 0, deliveries: 0, people: 0, ...found },
    ip: origin.ip,
    userAgent: origin.userAgent,
    requestId: origin.requestId,
  });
}

/** `no_person`: nobody has the email address. */
type ListedSearches = { kind: 'listed'; searches: DeskSearchRow[] } | { kind: 'no_person' };

/** The newest searches at the support desk, of all people or of one by their email address. */
export async function listSearchesAsOperator(
  { db }: OperatorContext,
  { email, limit }: { email: string | null; limit: number },
): Promise<ListedSearches> {
  const personId = email === null ? null : await findPersonIdByEmail(db, email);
  if (email !== null && personId === null) return { kind: 'no_person' };
  return { kind: 'listed', searches: await listNewestSearches(db, { personId, limit }) };
}

/**
 * Removes up to `limit` records of searches from before a moment, the oldest first. Its transaction
 * needs the rights of MIGRATION_DATABASE_URL.
 * @returns how many
 */
export async function removeExpiredSearches(
  tx: Tx,
  options: { before: Date; limit: number },
): Promise<number> {
  return await deleteOldestSearches(tx, options);
}
