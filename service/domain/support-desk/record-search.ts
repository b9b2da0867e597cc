import type { Tx } from '../../db/open.ts';
import type { DeskFinds } from '../../db/schema/people/support.ts';
import type { SignedInPerson } from '../actor.ts';
import { insertSearch } from './store/searches.ts';

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
