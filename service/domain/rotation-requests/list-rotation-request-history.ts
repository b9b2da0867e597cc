import type { z } from 'zod';
import type {
  RotationRequest,
  listRotationRequestHistory as contract,
} from '#lib/contract/api-keys/rotation-requests.ts';
import { seesEveryRequest } from '#lib/contract/api-keys/sees-every-request.ts';
import type { Context } from '../../context.ts';
import type { PersonActor } from '../actor.ts';
import { readUuidCursor, writeUuidCursor } from '../cursor.ts';
import { pageOf } from '../page-of.ts';
import { describeRotationRequest } from './describe-rotation-request.ts';
import { listRequestRecords } from './store/request-records.ts';

/**
 * A page of the requests that a person made or that name them, and of all reports of a leak,
 * whatever their state, newest first. Owners and admins get all requests of the account.
 * @throws ServiceError VALIDATION_ERROR on a cursor that this list did not return
 */
export async function listRotationRequestHistory(
  ctx: Context,
  actor: PersonActor,
  { cursor, limit }: z.output<typeof contract.query>,
): Promise<{ requests: RotationRequest[]; nextCursor: string | null }> {
  const now = ctx.clock.now();
  const found = await listRequestRecords(ctx.db, actor.accountId, {
    personId: seesEveryRequest(actor.role) ? null : actor.personId,
    before: readUuidCursor('rotation-request-history', cursor),
    limit: limit + 1,
  });
  const { rows, nextCursor } = pageOf(found, limit, ({ request }) =>
    writeUuidCursor('rotation-request-history', request),
  );
  return { requests: rows.map((record) => describeRotationRequest(record, now)), nextCursor };
}
