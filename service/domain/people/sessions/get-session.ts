import type { Session, SignedInSession } from '#lib/contract/people/sessions.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { ServiceError } from '../../errors.ts';
import { findableMemberships, restorableUntil } from '../accounts/deletion.ts';
import { relyingPartyOf } from '../second-factors/passkeys/webauthn.ts';
import { readAccount } from '../store/accounts.ts';
import { isInstallationSupport } from '../store/installation-support.ts';
import { listMemberships } from '../store/members.ts';
import { countFactors } from '../store/second-factors.ts';
import { loadedWithActor } from './find-person.ts';
import { currentSessionId } from './find-session.ts';
import { endInAccount, proofExpiresAt } from './session-end.ts';

/**
 * The signed-in person, their present account and role, and every account they belong to.
 * `searchAccounts` finds the accounts that installation support can open in addition.
 *
 * @throws ServiceError UNAUTHORIZED if the session or the membership ended in the meantime
 */
export async function getSession(
  ctx: Context,
  actor: PersonActor,
  sessionToken: string,
): Promise<Session> {
  const { session, memberships } = loadedWithActor(actor) ?? {
    session: await ctx.auth.session(sessionToken),
    memberships: await listMemberships(ctx.db, actor.personId),
  };
  const accounts = findableMemberships(memberships, ctx.clock.now()).map((membership) => ({
    id: membership.accountId,
    name: membership.accountName,
    role: membership.role,
    erased_at: describeErasure(membership.deletedAt),
  }));
  const { accountId, installationSupport: asSupport } = actor;
  const current = memberships.find((each) => each.accountId === accountId);
  if (!session || (!current && !asSupport)) throw new ServiceError('UNAUTHORIZED');
  const account = current
    ? { ...current, name: current.accountName }
    : await readAccount(ctx.db, accountId);
  const requiredFrom = account.secondFactorRequiredFrom;
  const factors = await countFactors(ctx.db, actor.personId);
  return {
    person: { id: actor.personId, name: actor.personName, email: actor.email },
    account: {
      id: accountId,
      name: account.name,
      support: actor.support,
      erased_at: describeErasure(account.deletedAt),
      second_factor_required_from: requiredFrom && formatApiTime(requiredFrom),
    },
    role: current?.role ?? actor.role,
    second_factor: {
      passkeys: factors.passkeys,
      app: factors.app,
      recovery_codes_left: factors.recoveryCodesLeft,
    },
    lacks_second_factor: actor.lacksSecondFactor ?? false,
    passkey_host: relyingPartyOf(ctx.config)?.host ?? null,
    accounts,
    is_installation_support: await isInstallationSupport(ctx.db, actor.personId),
    needs_reason: asSupport?.visit === null,
    visit: asSupport?.visit
      ? { reason: asSupport.visit.reason, ends_at: formatApiTime(asSupport.visit.endsAt) }
      : null,
    rotation_grace_seconds: ctx.config.rotationGraceSeconds,
    expires_at: formatApiTime(endInAccount(session, account)),
    proof_expires_at: formatApiTime(proofExpiresAt(ctx, actor.provedAt)),
  };
}

function describeErasure(deletedAt: Date | null): string | null {
  return deletedAt && formatApiTime(restorableUntil(deletedAt));
}

/**
 * A person's sessions, most recently used first, without their tokens. The end of each session is
 * the one for the account they act in: another account may allow more or less time.
 * @throws ServiceError UNAUTHORIZED if the session of the call ended in the meantime
 */
export async function listSessions(
  ctx: Context,
  actor: PersonActor,
  sessionToken: string,
): Promise<SignedInSession[]> {
  const current = await currentSessionId(ctx, sessionToken);
  const account = await readAccount(ctx.db, actor.accountId);
  const open = await ctx.auth.listSessions(actor.personId);
  return open.map((session) => ({
    id: session.sessionId,
    is_current: session.sessionId === current,
    ip: session.ip,
    user_agent: session.userAgent,
    created_at: formatApiTime(session.createdAt),
    last_used_at: formatApiTime(session.lastUsedAt),
    expires_at: formatApiTime(endInAccount(session, account)),
  }));
}
