import type { Context } from '../../../context.ts';
import { mintAccountId } from '../../account-id.ts';
import { actOnEach } from '../../act-on-each.ts';
import { findRotationRequest, listEveryOpenRequest, targetOf } from '../store/request-records.ts';
import type { RotationRequestRecord } from '../store/request-records.ts';
import { lockRotationRequest } from '../store/requests.ts';
import { findEnd, storeEnd } from './store-end.ts';

/**
 * Stores, for all accounts, which open requests have ended without an act of anybody. If this fails
 * for a request, the next run stores its end.
 */
export async function expireRotationRequests(
  ctx: Pick<Context, 'db' | 'clock' | 'log'>,
): Promise<void> {
  await actOnEach(await listEveryOpenRequest(ctx.db), {
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
      await storeEnd(tx, { request: found.request, name: targetOf(found).name, end, now });
    }
  });
}
