import { mintAccountId } from '../../account-id.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { findableMemberships } from '../accounts/deletion.ts';
import { closeRequestsOfMember } from '../../rotation-requests/outcomes/close-requests-of-member.ts';
import { operator } from '../members/operator/operator.ts';
import type { OperatorContext } from '../members/operator/operator.ts';
import { recordInAccounts } from '../record-in-accounts.ts';
import {
  deleteSupporter,
  endVisitsOfPerson,
  listVisitedAccounts,
} from '../store/installation-support.ts';
import { listMemberships } from '../store/members.ts';
import { findPersonByEmail, updatePerson } from '../store/people.ts';
import { deleteSessions } from '../store/sessions.ts';

/**
 * The result of removing somebody from installation support. `isMember`: they can still open the
 * accounts they belong to; otherwise their sessions ended, and they can no longer sign in.
 */
export type RemovedSupporter =
  | { kind: 'no_supporter' }
  | { kind: 'removed'; isMember: boolean; endedSessions: number };

/**
 * Removes somebody from installation support, for an operator at the terminal. From their next
 * request on, their visits are over, and so are the rotation requests they made in accounts they do
 * not belong to. The audit logs of the accounts they belong to or opened record it.
 */
export async function removeSupportAsOperator(
  ctx: OperatorContext,
  email: string,
): Promise<RemovedSupporter> {
  return await ctx.db.transaction(async (tx) => {
    const person = await findPersonByEmail(tx, email);
    if (!person || !(await deleteSupporter(tx, person.id))) return { kind: 'no_supporter' };
    const { id: personId } = person;
    const now = ctx.clock.now();
    const memberships = await listMemberships(tx, personId);
    const own = memberships.map(({ accountId }) => accountId);
    const isMember = findableMemberships(memberships, now).length > 0;
    const visited = await listVisitedAccounts(tx, personId);
    // Before the visits, because the end of a session locks its visits.
    const endedSessions = isMember ? 0 : await deleteSessions(tx, { personId });
    await endVisitsOfPerson(tx, { personId, now });
    // If they belong to no account, the time until they are erased starts now.
    await updatePerson(tx, personId, { updatedAt: now });
    const removed = {
      by: operator,
      origin: null,
      action: 'person.installation_support_removed',
      changes: { email },
    } as const;
    await recordInAccounts(tx, { ...removed, person, now });
    for (const id of visited.filter((each) => !own.includes(each))) {
      const accountId = mintAccountId(id);
      await closeRequestsOfMember(tx, { accountId, personId, by: operator, origin: null, now });
      const target = { kind: 'person', id: personId, name: person.name };
      await recordAudit(tx, { ...removed, accountId, at: now, target });
    }
    return { kind: 'removed', isMember, endedSessions };
  });
}
