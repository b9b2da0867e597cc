import type { z } from 'zod';
import type { openSupportVisitInput } from '#lib/contract/people/installation-support.ts';
import { visitHours } from '#lib/contract/people/visits.ts';
import { hourMs } from '#lib/durations.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { ServiceError, forbidden, invalid } from '../../errors.ts';
import { lockRights } from '../members/lock-rights.ts';
import { currentSessionId } from '../sessions/current-session-id.ts';
import { readAccount } from '../store/accounts.ts';
import { insertVisit } from '../store/installation-support.ts';
import { lockSession } from '../store/sessions.ts';

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
    if (!(await lockRights(tx, accountId, personId))) throw forbidden();
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
