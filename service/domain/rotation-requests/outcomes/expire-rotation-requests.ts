import type { Context } from '../../../context.ts';
import type { Db, Tx } from '../../../db/open.ts';
import type { ActorReference } from '../../../db/schema/columns.ts';
import { mintAccountId } from '../../account-id.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { isLeakReportFinished, obstacleOf, stateAt } from '../rules.ts';
import { listValidTokens } from '../store/leaks.ts';
import { findRotationRequest, listEveryOpenRequest } from '../store/request-records.ts';
import type { RotationRequestRecord } from '../store/request-records.ts';
import { closeRequestRow, lockRotationRequest } from '../store/requests.ts';
import type { RequestClosing } from '../store/requests.ts';

const housekeeping: ActorReference = { kind: 'system', id: null, name: 'Housekeeping' };

/**
 * Stores, for all accounts, which open requests have ended: those past their deadline, of an
 * expired key, or naming a member who left or may no longer be shown the token. A report of a leak
 * is done once the last token that existed when it was made has ended.
 */
export async function expireRotationRequests(ctx: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const now = ctx.clock.now();
  for (const record of await listEveryOpenRequest(ctx.db)) {
    if ((await findEnd(ctx.db, record, now)) === null) continue;
    const accountId = mintAccountId(record.request.accountId);
    await ctx.db.transaction(async (tx) => {
      const locked = await lockRotationRequest(tx, accountId, record.request.uuid);
      const found = locked && (await findRotationRequest(tx, accountId, locked.uuid));
      if (found?.request.state !== 'open') return;
      const end = await findEnd(tx, found, now);
      if (end === null) return;
      await closeRequestRow(tx, found.request, end);
      await recordAudit(tx, {
        accountId,
        by: housekeeping,
        origin: null,
        action: `rotation_request.${end.state}`,
        at: now,
        target: { kind: 'rotation_request', id: found.request.uuid, name: found.key.name },
        ...(end.closedBecause && { changes: { because: end.closedBecause } }),
      });
    });
  }
}

type RequestEnd = RequestClosing & { state: 'expired' | 'done' };

/** How a request that is stored as open has ended at `now`; null if it is still open. */
async function findEnd(
  db: Db | Tx,
  record: RotationRequestRecord,
  now: Date,
): Promise<RequestEnd | null> {
  const { request, key } = record;
  if (stateAt(request, now) === 'expired') {
    return { state: 'expired', closedAt: request.expiresAt, closedBy: null };
  }
  const closedBecause = obstacleOf(record, now);
  if (closedBecause !== null) {
    return { state: 'expired', closedAt: now, closedBy: null, closedBecause };
  }
  if (request.reason !== 'leaked') return null;
  const validTokens = await listValidTokens(db, key, now);
  const [newest] = validTokens;
  if (!newest || !isLeakReportFinished(request, validTokens)) return null;
  // The person who rotated the key, since nobody closed the request.
  return { state: 'done', closedAt: now, closedBy: newest.createdBy };
}
