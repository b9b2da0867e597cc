import type { z } from 'zod';
import { maxFoundAccounts, type FoundAccount } from '#lib/contract/people/found-account.ts';
import type { openSupportVisitInput } from '#lib/contract/people/installation-support.ts';
import { visitHours } from '#lib/contract/people/visits.ts';
import { hourMs } from '#lib/durations.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor, SignedInPerson } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { forbidden, invalid, ServiceError } from '../../errors.ts';
import { refuseOverLimit } from '../../refuse-over-limit.ts';
import { parseResourceReference } from '../../resource-reference.ts';
import { lockRights } from '../members/confirm-member.ts';
import { currentSessionId } from '../sessions/find-session.ts';
import { readAccount } from '../store/accounts.ts';
import {
  endVisit,
  insertVisit,
  isInstallationSupport,
  selectSupportedAccounts,
} from '../store/installation-support.ts';
import { lockSession } from '../store/sessions.ts';

/**
 * Finds accounts for installation support by name or ID: those that allow it, and those they belong
 * to.
 *
 * @throws ServiceError FORBIDDEN to anyone else; RATE_LIMIT_EXCEEDED
 */
export async function searchAccounts(
  ctx: Context,
  { personId }: SignedInPerson,
  { search }: { search: string },
): Promise<FoundAccount[]> {
  if (!(await isInstallationSupport(ctx.db, personId))) throw forbidden('role');
  await refuseOverLimit(ctx, [{ limit: 'account-search', key: personId }]);
  const text = search.normalize('NFC').trim();
  const reference = parseResourceReference(text);
  return await selectSupportedAccounts(ctx.db, {
    personId,
    text,
    uuid: reference?.kind === 'uuid' ? reference.uuid : null,
    limit: maxFoundAccounts,
  });
}

/**
 * Records why installation support opens an account, also in the account's audit log. From then on
 * they can see and do what their role allows there, in this session and for 12 hours at most.
 *
 * @throws ServiceError VALIDATION_ERROR to members, who need no reason; FORBIDDEN if the account
 *   was closed to installation support in the meantime; UNAUTHORIZED if the session ended
 */
export async function openSupportVisit(
  ctx: Context,
  actor: PersonActor,
  { input, sessionToken }: { input: z.output<typeof openSupportVisitInput>; sessionToken: string },
): Promise<{ endsAt: Date }> {
  const { accountId, personId } = actor;
  const { reason } = input;
  if (!actor.installationSupport) {
    throw invalid('reason', 'You are a member of this account and need no reason to open it.');
  }
  const sessionId = await currentSessionId(ctx, sessionToken);
  return await ctx.db.transaction(async (tx) => {
    if (!(await lockRights(tx, accountId, personId))) throw forbidden('role');
    if (!(await lockSession(tx, { personId, sessionId }))) throw new ServiceError('UNAUTHORIZED');
    const openedAt = ctx.clock.now();
    const endsAt = new Date(openedAt.getTime() + visitHours * hourMs);
    await insertVisit(tx, { accountId, personId, sessionId, reason, openedAt, endsAt });
    await recordAudit(tx, {
      actor,
      action: 'support_visit.opened',
      at: openedAt,
      target: { kind: 'account', id: accountId, name: (await readAccount(tx, accountId)).name },
      changes: { reason, ends_at: endsAt },
    });
    return { endsAt };
  });
}

/**
 * Ends the visit of installation support in this session, before its 12 hours are over. From then
 * on they need a new reason. Without an open visit, nothing changes.
 *
 * @throws ServiceError UNAUTHORIZED if the session ended in the meantime
 */
export async function endSupportVisit(
  ctx: Context,
  actor: PersonActor,
  sessionToken: string,
): Promise<void> {
  const { accountId, personId } = actor;
  const sessionId = await currentSessionId(ctx, sessionToken);
  await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const reason = await endVisit(tx, { accountId, personId, sessionId, now });
    if (reason === null) return;
    await recordAudit(tx, {
      actor,
      action: 'support_visit.ended',
      at: now,
      target: { kind: 'account', id: accountId, name: (await readAccount(tx, accountId)).name },
      changes: { reason },
    });
  });
}
