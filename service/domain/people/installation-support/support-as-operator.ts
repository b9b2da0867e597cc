import { mintAccountId } from '../../account-id.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { runEffects } from '../../effects.ts';
import { findableMemberships } from '../accounts/deletion.ts';
import {
  ensurePerson,
  mailReplacedPassword,
  preparePassword,
  type Access,
} from '../members/ensure-person.ts';
import { operator, type OperatorContext } from '../members/operator/operator.ts';
import { recordInAccounts } from '../record-in-accounts.ts';
import {
  deleteSupporter,
  endVisitsOfPerson,
  insertSupporter,
  isInstallationSupport,
  listAllSupporters,
  listVisitedAccounts,
} from '../store/installation-support.ts';
import { listMemberships } from '../store/members.ts';
import { findPersonByEmail, lockPersonByEmail, updatePerson } from '../store/people.ts';
import { deleteSessions } from '../store/sessions.ts';

type ListedSupporter = Awaited<ReturnType<typeof listAllSupporters>>[number];

/** The people of installation support, by email, and when each last opened an account. */
export async function listSupportAsOperator({ db }: OperatorContext): Promise<ListedSupporter[]> {
  return await listAllSupporters(db);
}

/** The result of adding someone to installation support. `access` says how they sign in. */
type AddedSupporter = { kind: 'added'; access: Access } | { kind: 'unchanged' };

/**
 * Adds someone to the support of every account that allows it, for an operator at the terminal.
 * The audit logs of the accounts they belong to record it; in all other accounts, the audit log
 * records their visits.
 *
 * @throws ServiceError VALIDATION_ERROR with `details.email` if the address is a previous one of
 *   someone who can still undo that change
 */
export async function addSupportAsOperator(
  ctx: OperatorContext,
  email: string,
): Promise<AddedSupporter> {
  const password = await preparePassword(ctx);
  const added = await ctx.db.transaction<AddedSupporter>(async (tx) => {
    const now = ctx.clock.now();
    const known = await lockPersonByEmail(tx, email);
    if (known && (await isInstallationSupport(tx, known.id))) return { kind: 'unchanged' };
    const { person, access } = await ensurePerson(tx, { known, email, ...password, now });
    await insertSupporter(tx, { personId: person.id, addedAt: now });
    await recordInAccounts(tx, {
      person,
      by: operator,
      origin: null,
      action: 'person.installation_support_added',
      now,
      changes: { email },
    });
    return { kind: 'added', access };
  });
  if (added.kind === 'added') mailReplacedPassword(ctx, { email, access: added.access });
  return added;
}

/**
 * The result of removing someone from installation support. `isMember`: they can still open the
 * accounts they belong to; otherwise their sessions ended, and they can no longer sign in.
 */
type RemovedSupporter =
  | { kind: 'no_supporter' }
  | { kind: 'removed'; isMember: boolean; endedSessions: number };

/**
 * Removes someone from installation support, for an operator at the terminal. From their next
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
      const ended = { ...removed, accountId, personId, because: 'requester_left', now } as const;
      await runEffects(tx, ctx.effects.supportEnded, ended);
      const target = { kind: 'person', id: personId, name: person.name };
      await recordAudit(tx, { ...removed, accountId, at: now, target });
    }
    return { kind: 'removed', isMember, endedSessions };
  });
}
