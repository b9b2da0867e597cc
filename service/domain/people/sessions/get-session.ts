import type { Session } from '#lib/contract/dashboard.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { ServiceError } from '../../errors.ts';
import { findSession } from './find-session.ts';
import { proofExpiresAt } from './proof-expires-at.ts';
import { endInAccount } from './session-end.ts';
import { listMemberships } from '../store/members.ts';

/**
 * Who is signed in, in which account and with which role, and every account they may choose.
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
  const accounts = memberships.map(({ accountId, accountName, role }) => ({
    id: accountId,
    name: accountName,
    role,
  }));
  const current = memberships.find(({ accountId }) => accountId === actor.accountId);
  if (!session || !current) throw new ServiceError('UNAUTHORIZED');
  return {
    person: { id: actor.personId, name: actor.personName, email: actor.email },
    account: { id: actor.accountId, name: current.accountName, support: actor.support },
    role: current.role,
    accounts,
    expires_at: formatApiTime(endInAccount(session, current)),
    proof_expires_at: formatApiTime(proofExpiresAt(ctx, actor.provedAt)),
  };
}
