import type { Context } from '../../../context.ts';
import { mintAccountId } from '../../account-id.ts';
import { findRotationRequest, listEveryOpenRequest } from '../store/request-records.ts';
import { lockRotationRequest } from '../store/requests.ts';
import { findEnd, storeEnd } from './store-end.ts';

/** Stores, for all accounts, which open requests have ended without an act of anybody. */
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
      if (end !== null) await storeEnd(tx, { ...found, end, now });
    });
  }
}
