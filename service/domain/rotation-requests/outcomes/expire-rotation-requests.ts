import type { Context } from '../../../context.ts';
import type { ActorReference } from '../../../db/schema/columns.ts';
import { mintAccountId } from '../../account-id.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { obstacleOf, stateAt } from '../rules.ts';
import { findRotationRequest, listEveryOpenRequest } from '../store/request-records.ts';
import { closeRequestRow, lockRotationRequest } from '../store/requests.ts';

const housekeeping: ActorReference = { kind: 'system', id: null, name: 'Housekeeping' };

/**
 * Stores, for all accounts, which open requests have expired: those past their deadline, of an
 * expired key, or naming a member who left or may no longer be shown the token.
 */
export async function expireRotationRequests(ctx: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const now = ctx.clock.now();
  for (const record of await listEveryOpenRequest(ctx.db)) {
    if (stateAt(record.request, now) === 'open' && obstacleOf(record, now) === null) continue;
    const accountId = mintAccountId(record.request.accountId);
    await ctx.db.transaction(async (tx) => {
      const locked = await lockRotationRequest(tx, accountId, record.request.uuid);
      const found = locked && (await findRotationRequest(tx, accountId, locked.uuid));
      if (found?.request.state !== 'open') return;
      const obstacle = stateAt(found.request, now) === 'open' ? obstacleOf(found, now) : null;
      if (stateAt(found.request, now) === 'open' && obstacle === null) return;
      await closeRequestRow(tx, found.request, {
        state: 'expired',
        closedAt: obstacle === null ? found.request.expiresAt : now,
        closedBy: null,
        closedBecause: obstacle,
      });
      await recordAudit(tx, {
        accountId,
        by: housekeeping,
        origin: null,
        action: 'rotation_request.expired',
        at: now,
        target: { kind: 'rotation_request', id: found.request.uuid, name: found.key.name },
        ...(obstacle !== null && { changes: { because: obstacle } }),
      });
    });
  }
}
