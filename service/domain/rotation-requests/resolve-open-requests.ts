import { describeRequestAct } from '#lib/contract/api-keys/rotation-reasons.ts';
import type { RequestAct, RequestReason } from '#lib/contract/api-keys/rotation-reasons.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Tx } from '../../db/open.ts';
import { actorReference } from '../actor.ts';
import type { PersonActor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { invalid } from '../errors.ts';
import { findEnd, recordRequestEnd } from './outcomes/record-request-end.ts';
import { recordOutcomeMail } from './store/request-mails.ts';
import { findRotationRequest } from './store/request-records.ts';
import type { RotationRequestRecord } from './store/request-records.ts';
import {
  closeRequestRow,
  lockOpenRequests,
  type RequestTarget,
  type RotationRequestRow,
} from './store/requests.ts';

/** What a person asks for. */
type Asked = {
  act: RequestAct;
  /** The id of the member who is asked. */
  member: string;
  reason: RequestReason;
  note?: string | undefined;
};

export type NewRequest = { target: RequestTarget; asked: Asked; now: Date };

/**
 * Closes the open requests that a new request about a locked key or webhook replaces. An open
 * request prevents another one for the same act, unless it has ended and that is not stored yet. A report of a leak is never
 * prevented: it does not affect the requests of other people, and replaces those of the person who
 * makes it.
 *
 * @returns the open request if it is the same one, made before; the caller returns it again, for
 *   example after a lost response
 * @throws ServiceError VALIDATION_ERROR with `details.api_key` or `details.webhook` if an open request
 *   prevents it
 */
export async function resolveOpenRequests(
  tx: Tx,
  actor: PersonActor,
  wanted: NewRequest,
): Promise<RotationRequestRecord | null> {
  const { asked } = wanted;
  const records = await closeEndedRequests(tx, actor, wanted);
  const same = records.find(({ request }) => isSame(request, { actor, asked }));
  if (same) return same;
  if (asked.reason !== 'leaked') {
    const [open] = records;
    if (open) throw openRequestError(open, actor);
    return null;
  }
  for (const { request } of records) {
    if (request.requestedById === actor.personId) await withdraw(tx, actor, { request, ...wanted });
  }
  return null;
}

/** The open requests for the same act. The end of those that have ended is stored first. */
async function closeEndedRequests(
  tx: Tx,
  actor: PersonActor,
  { target, asked, now }: NewRequest,
): Promise<RotationRequestRecord[]> {
  const records: RotationRequestRecord[] = [];
  for (const request of await lockOpenRequests(tx, target)) {
    if (request.act !== asked.act) continue;
    const record = await findRotationRequest(tx, actor.accountId, request.uuid);
    if (!record) continue;
    const end = await findEnd(tx, record, now);
    if (end === null) records.push(record);
    else await recordRequestEnd(tx, { request, name: target.name, end, now });
  }
  return records;
}

function isSame(
  request: RotationRequestRow,
  { actor, asked }: { actor: PersonActor; asked: Asked },
): boolean {
  return (
    request.requestedById === actor.personId &&
    request.memberId === asked.member &&
    request.reason === asked.reason &&
    request.note === (asked.note || null)
  );
}

function openRequestError(
  { request, requestedBy, member }: RotationRequestRecord,
  actor: PersonActor,
) {
  const asker = request.requestedById === actor.personId ? 'You' : requestedBy.name;
  const named = request.memberId === actor.personId ? 'you' : member.name;
  const target = request.act === 'rotate' ? 'key' : 'webhook';
  return invalid(
    target === 'key' ? 'api_key' : 'webhook',
    `${asker} already asked ${named} to ${describeRequestAct(request.act, `this ${target}`)}. That request is open until ${formatApiTime(request.expiresAt)}, unless it is withdrawn or declined before.`,
  );
}

async function withdraw(
  tx: Tx,
  actor: PersonActor,
  { request, target, asked, now }: NewRequest & { request: RotationRequestRow },
): Promise<void> {
  const closedBy = actorReference(actor);
  await closeRequestRow(tx, request, { state: 'withdrawn', closedAt: now, closedBy });
  // A member who is asked again must not get an email that says they need not do anything.
  if (request.memberId === asked.member)
    await recordOutcomeMail(tx, request, { to: null, at: now });
  await recordAudit(tx, {
    actor,
    action: 'rotation_request.withdrawn',
    at: now,
    target: { kind: 'rotation_request', id: request.uuid, name: target.name },
  });
}
