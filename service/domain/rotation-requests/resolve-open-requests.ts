import type { z } from 'zod';
import type { requestRotationInput } from '#lib/contract/api-keys/rotation-requests.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Tx } from '../../db/open.ts';
import { actorReference } from '../actor.ts';
import type { PersonActor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { invalid } from '../errors.ts';
import { findEnd, storeEnd } from './outcomes/store-end.ts';
import { recordOutcomeMail } from './store/request-mails.ts';
import { findRotationRequest } from './store/request-records.ts';
import type { RotationRequestRecord } from './store/request-records.ts';
import { closeRequestRow, lockOpenRequests } from './store/requests.ts';
import type { RotationRequestRow } from './store/requests.ts';

type NewRequest = {
  key: { accountId: string; id: number; name: string };
  input: z.output<typeof requestRotationInput>;
  now: Date;
};

/**
 * Closes the open requests that a new request about a locked key replaces. An open request prevents
 * another one, unless it has ended and that is not stored yet. A report of a leak is never
 * prevented: it does not affect the requests of other people, and replaces those of the person who
 * makes it.
 *
 * @returns the open request if it is the same one, made before; the caller returns it again, for
 *   example after a lost response
 * @throws ServiceError VALIDATION_ERROR with `details.api_key` if an open request prevents it
 */
export async function resolveOpenRequests(
  tx: Tx,
  actor: PersonActor,
  wanted: NewRequest,
): Promise<RotationRequestRecord | null> {
  const { input } = wanted;
  const records = await closeEndedRequests(tx, actor, wanted);
  const same = records.find(({ request }) => isSame(request, { actor, input }));
  if (same) return same;
  if (input.reason !== 'leaked') {
    const [open] = records;
    if (open) throw openRequestError(open, actor);
    return null;
  }
  for (const { request } of records) {
    if (request.requestedById === actor.personId) await withdraw(tx, actor, { request, ...wanted });
  }
  return null;
}

/** The open requests of a key. The end of those that have ended is stored first. */
async function closeEndedRequests(
  tx: Tx,
  actor: PersonActor,
  { key, now }: NewRequest,
): Promise<RotationRequestRecord[]> {
  const records: RotationRequestRecord[] = [];
  for (const request of await lockOpenRequests(tx, key)) {
    const record = await findRotationRequest(tx, actor.accountId, request.uuid);
    if (!record) continue;
    const end = await findEnd(tx, record, now);
    if (end === null) records.push(record);
    else await storeEnd(tx, { ...record, end, now });
  }
  return records;
}

function isSame(
  request: RotationRequestRow,
  { actor, input }: { actor: PersonActor; input: NewRequest['input'] },
): boolean {
  return (
    request.requestedById === actor.personId &&
    request.memberId === input.member &&
    request.reason === input.reason &&
    request.note === (input.note || null)
  );
}

function openRequestError(
  { request, requestedBy, member }: RotationRequestRecord,
  actor: PersonActor,
) {
  const asker = request.requestedById === actor.personId ? 'You' : requestedBy.name;
  const asked = request.memberId === actor.personId ? 'you' : member.name;
  return invalid(
    'api_key',
    `${asker} already asked ${asked} to rotate this key. That request is open until ${formatApiTime(request.expiresAt)}, unless it is withdrawn or declined before.`,
  );
}

async function withdraw(
  tx: Tx,
  actor: PersonActor,
  { request, key, input, now }: NewRequest & { request: RotationRequestRow },
): Promise<void> {
  const closedBy = actorReference(actor);
  await closeRequestRow(tx, request, { state: 'withdrawn', closedAt: now, closedBy });
  // A member who is asked again must not get an email that says they need not do anything.
  if (request.memberId === input.member)
    await recordOutcomeMail(tx, request, { to: null, at: now });
  await recordAudit(tx, {
    actor,
    action: 'rotation_request.withdrawn',
    at: now,
    target: { kind: 'rotation_request', id: request.uuid, name: key.name },
  });
}
