import type { Session } from '#lib/contract/dashboard.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { ServiceError } from '../../errors.ts';
import { findSession } from './find-session.ts';
import { proofExpiresAt } from './proof-expires-at.ts';
import { findableMemberships, restorableUntil } from '../accounts/deletion.ts';
import { endInAccount } from './session-end.ts';
import { readAccount } from '../store/accounts.ts';
import { isInstallationSupport } from '../store/installation-support.ts';
import { listMemberships } from '../store/members.ts';

/**
 * Who is signed in, in which account and with which role, and every account they belong to. What
 * installation support can open beyond these, `searchAccounts` finds.
 *
 * @throws ServiceError UNAUTHORIZED if the session or the membership ended meanwhile
 */
export async function getSession(
  ctx: Context,
  actor: PersonActor,
  sessionToken: string,
): Promise<Session> {
  const session = await findSession(ctx, sessionToken);
  const memberships = await listMemberships(ctx.db, actor.personId);
  const accounts = findableMemberships(memberships, ctx.clock.now()).map((membership) => ({
    id: membership.accountId,
    name: membership.accountName,
    role: membership.role,
    erased_at: describeErasure(membership.deletedAt),
  }));
  const { accountId, installationSupport: asSupport } = actor;
  const current = memberships.find((each) => each.accountId === accountId);
  if (!session || (!current && !asSupport)) throw new ServiceError('UNAUTHORIZED');
  const { name, sessionHours, deletedAt } = await readAccount(ctx.db, accountId);
  return {
    person: { id: actor.personId, name: actor.personName, email: actor.email },
    account: { id: accountId, name, support: actor.support, erased_at: describeErasure(deletedAt) },
    role: current?.role ?? actor.role,
    accounts,
    is_installation_support: await isInstallationSupport(ctx.db, actor.personId),
    needs_reason: asSupport !== undefined && !asSupport.hasOpenVisit,
    expires_at: formatApiTime(endInAccount(session, { sessionHours })),
    proof_expires_at: formatApiTime(proofExpiresAt(ctx, actor.provedAt)),
  };
}

function describeErasure(deletedAt: Date | null): string | null {
  return deletedAt && formatApiTime(restorableUntil(deletedAt));
}
