import type { Context } from '../../../context.ts';
import type { Db, Tx } from '../../../db/open.ts';
import type { PersonActor } from '../../actor.ts';
import { changeApiKey } from '../../api-keys/change-api-key.ts';
import { leakRevocationMail, revokeLockedKey } from '../../api-keys/revoke-api-key.ts';
import { invalid, notFound } from '../../errors.ts';
import { createNotices, sendNotices } from '../../people/notices/notices.ts';
import { describeActor } from '../../people/installation-support/describe-actor.ts';
import { plainName } from '../../quote-name.ts';
import { parseUuid } from '../../resource-reference.ts';
import {
  isLeakReportFinished,
  maxLeakRevocations,
  refuseClosedRequest,
  refuseManyLeakRevocations,
  revocationPeriodMs,
} from '../rules.ts';
import { listLeakRevocationsOf, listValidTokens, lockLeakRevocations } from '../store/leaks.ts';
import { findRotationRequest } from '../store/request-records.ts';
import { lockRotationRequest } from '../store/requests.ts';

/**
 * Revokes the key of a request because the token may have leaked, for the person who made the
 * request, even though their role does not revoke keys: a leak must not wait for the named member.
 * They are shown nothing of the key, and all owners and admins get an email. A person can do this
 * three times within 24 hours for their own reports. Someone else who may rotate keys can do it for
 * them: then two people agree, and it counts for neither.
 *
 * @throws ServiceError NOT_FOUND if the request does not exist for the actor; VALIDATION_ERROR
 *   with `details.rotation_request` if it is no longer open or was made for another reason;
 *   RATE_LIMIT_EXCEEDED
 */
export async function revokeLeakedKey(
  ctx: Context,
  actor: PersonActor,
  input: { rotationRequest: string },
): Promise<void> {
  const uuid = parseUuid(input.rotationRequest);
  const found = await findRotationRequest(ctx.db, actor.accountId, uuid);
  if (!found) throw notFound();
  const { requestedById, reason } = found.request;
  const isOwn = requestedById === actor.personId;
  if (!isOwn && reason !== 'leaked') throw notFound();
  if (!found.key) throw notALeakedKey();

  const { notices, toQueue } = await changeApiKey(ctx, actor, {
    apiKey: String(found.key.id),
    act: 'api-keys.rotate',
    mayExceedActorRights: true,
    change: async (locked) => {
      const request = await lockRotationRequest(locked.tx, actor.accountId, uuid);
      if (!request) throw notFound();
      refuseClosedRequest(request, locked.now);
      if (request.reason !== 'leaked') throw notALeakedKey();
      // The tokens may have ended a moment ago, and the end of the request is not stored yet.
      const validTokens = await listValidTokens(locked.tx, locked.key, locked.now);
      if (isLeakReportFinished(request, validTokens)) {
        refuseClosedRequest({ ...request, state: 'done' }, locked.now);
      }
      if (isOwn) await refuseOverLimit(locked.tx, actor, locked.now);
      const published = await revokeLockedKey(ctx, actor, {
        ...locked,
        reason: 'Reported as leaked',
      });
      const { tx, key, now } = locked;
      const revokedBy = [
        ...(await describeActor(tx, actor, 'Revoked by')),
        ...(isOwn ? [] : [['Reported by', plainName(found.requestedBy.name)] as const]),
      ];
      const created = await createNotices(tx, {
        accountId: actor.accountId,
        to: { act: 'api-keys.revoke' },
        subjectId: key.uuid,
        occasion: 'revoked',
        now,
        mail: () => leakRevocationMail(ctx, { key, note: request.note, revokedBy, now }),
      });
      return { notices: created, toQueue: published };
    },
  });
  ctx.laneNotifier.queue(toQueue);
  sendNotices(ctx, notices);
}

/** @throws ServiceError RATE_LIMIT_EXCEEDED if the person revoked three such keys within 24 hours */
async function refuseOverLimit(tx: Tx, { personId }: PersonActor, now: Date): Promise<void> {
  await lockLeakRevocations(tx, personId);
  const since = new Date(now.getTime() - revocationPeriodMs);
  refuseManyLeakRevocations(await listLeakRevocationsOf(tx, { personId, since }), now);
}

function notALeakedKey(): Error {
  return invalid('rotation_request', 'Only a key reported as leaked can be revoked this way.');
}

/** How many more keys a person may revoke at `now` because they reported a leak. */
export async function countLeakRevocationsLeft(
  db: Db | Tx,
  { personId, now }: { personId: string; now: Date },
): Promise<number> {
  const since = new Date(now.getTime() - revocationPeriodMs);
  const earlier = await listLeakRevocationsOf(db, { personId, since });
  return Math.max(0, maxLeakRevocations - earlier.length);
}
