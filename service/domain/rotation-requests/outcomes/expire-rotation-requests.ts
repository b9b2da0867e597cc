import type { Context } from '../../../context.ts';
import { mintAccountId } from '../../account-id.ts';
import { findRotationRequest, listEveryOpenRequest } from '../store/request-records.ts';
import type { RotationRequestRecord } from '../store/request-records.ts';
import { lockRotationRequest } from '../store/requests.ts';
import { findEnd, storeEnd } from './store-end.ts';

/**
 * Stores, for all accounts, which open requests have ended without an act of anybody. If this fails
 * for a request, that is logged, and the others follow.
 */
export async function expireRotationRequests(
  ctx: Pick<Context, 'db' | 'clock' | 'log'>,
): Promise<void> {
  for (const record of await listEveryOpenRequest(ctx.db)) {
    try {
      await storeEndOf(ctx, record);
    } catch (error) {
      const { uuid } = record.request;
      ctx.log.error({ err: error, request: uuid }, 'a rotation request could not be closed yet');
    }
  }
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
    if (end !== null) await storeEnd(tx, { ...found, end, now });
  });
}
