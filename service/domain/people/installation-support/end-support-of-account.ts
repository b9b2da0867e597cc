import type { Tx } from '../../../db/open.ts';
import type { ActorReference } from '../../../db/schema/columns.ts';
import type { AccountId } from '../../account-id.ts';
import type { Origin } from '../../actor.ts';
import { closeRequestsOfMember } from '../../rotation-requests/outcomes/close-requests-of-member.ts';
import { endVisits, listVisitors } from '../store/installation-support.ts';

/**
 * Ends the visits of installation support in an account that no longer allows it, and withdraws the
 * rotation requests that these people made. The account must be locked.
 */
export async function endSupportOfAccount(
  tx: Tx,
  input: { accountId: AccountId; by: ActorReference; origin: Origin | null; now: Date },
): Promise<void> {
  const { accountId, now } = input;
  await endVisits(tx, { of: { accountId }, now });
  for (const personId of await listVisitors(tx, accountId)) {
    await closeRequestsOfMember(tx, { ...input, personId });
  }
}
