import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { currentSessionId } from '../sessions/current-session-id.ts';
import { readAccount } from '../store/accounts.ts';
import { endVisit } from '../store/installation-support.ts';

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
