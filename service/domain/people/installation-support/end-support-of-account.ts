import { formatApiTime } from '#lib/time.ts';
import type { Tx } from '../../../db/open.ts';
import type { ActorReference } from '../../../db/schema/columns.ts';
import type { AccountId } from '../../account-id.ts';
import type { Origin } from '../../actor.ts';
import { ServiceError } from '../../errors.ts';
import { closeRequestsOfMember } from '../../rotation-requests/outcomes/close-requests-of-member.ts';
import { closeVisits, listVisitors } from '../store/installation-support.ts';

/**
 * Ends the visits of installation support in an account that no longer allows it, and withdraws the
 * rotation requests that these people made. The account must be locked.
 */
export async function endSupportOfAccount(
  tx: Tx,
  input: { accountId: AccountId; by: ActorReference; origin: Origin | null; now: Date },
): Promise<void> {
  const { accountId, now } = input;
  await closeVisits(tx, { accountId, now });
  for (const personId of await listVisitors(tx, accountId)) {
    await closeRequestsOfMember(tx, {
      ...input,
      personId,
      requesterBecause: 'closed_to_support',
    });
  }
}

/** To installation support that had the account open when an owner closed it to them. */
export function accountClosedError(closedAt: Date): ServiceError {
  return new ServiceError('NOT_FOUND', {
    customMessage: `An owner closed this account to installation support at ${formatApiTime(closedAt)}.`,
  });
}
