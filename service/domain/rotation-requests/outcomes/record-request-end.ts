import type { Context } from '../../../context.ts';
import type { Db, Tx } from '../../../db/open.ts';
import type { ActorReference } from '../../../db/schema/columns.ts';
import { mintAccountId } from '../../account-id.ts';
import { processEach } from '../../process-each.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { isLeakReportFinished, obstacleOf, stateAt } from '../rules.ts';
import { listSigningSecrets, listValidTokens } from '../store/leaks.ts';
import {
  findRotationRequest,
  listEveryOpenRequest,
  targetOf,
  type RotationRequestRecord,
} from '../store/request-records.ts';
import {
  closeRequestRow,
  lockRotationRequest,
  type RequestClosing,
  type RotationRequestRow,
} from '../store/requests.ts';

/** Stores which open requests, of all accounts, have ended without an act of anyone. */
export async function expireRotationRequests(
  ctx: Pick<Context, 'db' | 'clock' | 'log'>,
): Promise<void> {
  await processEach(await listEveryOpenRequest(ctx.db), {
    act: async (record) => await storeEndOf(ctx, record),
    log: ctx.log,
    failure: 'a rotation request could not be closed yet',
    name: ({ request }) => ({ request: request.uuid }),
  });
}

async function storeEndOf(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  record: RotationRequestRecord,
): Promise<void> {
  const now = clock.now();
  if ((await findEnd(db, record, now)) === null) return;
  const accountId = mintAccountId(record.request.accountId);
  await db.transaction(async (tx) => {
    const locked = await lockRotationRequest(tx, accountId, record.request.uuid);
    const found = locked && (await findRotationRequest(tx, accountId, locked.uuid));
    if (found?.request.state !== 'open') return;
    const end = await findEnd(tx, found, now);
    if (end !== null) {
      await recordRequestEnd(tx, { request: found.request, name: targetOf(found).name, end, now });
    }
  });
}

const housekeeping: ActorReference = { kind: 'system', id: null, name: 'Housekeeping' };

/** How a request ended without an act of anyone. */
type RequestEnd = RequestClosing & { state: 'expired' | 'done' };

/**
 * How a request that is stored as open has ended at `now`; null if it is still open. It has expired
 * past its deadline, with its key, or if the member it names left or may no longer be shown the
 * token. A report of a leak is done once the last token or secret that existed when it was made has
 * ended.
 */
export async function findEnd(
  db: Db | Tx,
  record: RotationRequestRecord,
  now: Date,
): Promise<RequestEnd | null> {
  const { request, key, webhook } = record;
  if (stateAt(request, now) === 'expired') return endAtDeadline(request);
  const closedBecause = obstacleOf(record, now);
  if (closedBecause !== null) {
    return { state: 'expired', closedAt: now, closedBy: null, closedBecause };
  }
  if (request.reason !== 'leaked') return null;
  if (webhook) {
    const secrets = await listSigningSecrets(db, webhook, now);
    if (!isLeakReportFinished(request, secrets)) return null;
    return { state: 'done', closedAt: now, closedBy: secrets[0]?.shownTo ?? null };
  }
  const validTokens = key ? await listValidTokens(db, key, now) : [];
  const [newest] = validTokens;
  if (!newest || !isLeakReportFinished(request, validTokens)) return null;
  // The person who rotated the key or replaced its token, since nobody closed the request.
  const { createdBy, replacedUnusedAt, shownTo } = newest;
  const closedBy = replacedUnusedAt === null ? createdBy : (shownTo ?? createdBy);
  return { state: 'done', closedAt: now, closedBy };
}

/** The end of a request whose deadline is over. */
export function endAtDeadline({ expiresAt }: Pick<RotationRequestRow, 'expiresAt'>): RequestEnd {
  return { state: 'expired', closedAt: expiresAt, closedBy: null };
}

/** Stores how a locked request ended, and audits it. */
export async function recordRequestEnd(
  tx: Tx,
  {
    request,
    name,
    end,
    now,
  }: { request: RotationRequestRow; name: string; end: RequestEnd; now: Date },
): Promise<void> {
  await closeRequestRow(tx, request, end);
  await recordAudit(tx, {
    accountId: mintAccountId(request.accountId),
    by: housekeeping,
    origin: null,
    action: `rotation_request.${end.state}`,
    at: now,
    target: { kind: 'rotation_request', id: request.uuid, name },
    ...(end.closedBecause && { changes: { because: end.closedBecause } }),
  });
}
