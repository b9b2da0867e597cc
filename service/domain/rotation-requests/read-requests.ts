import type { z } from 'zod';
import type {
  listRotationRequestHistory as contract,
  RotationRequest,
  Rotator,
} from '#lib/contract/api-keys/rotation-requests.ts';
import { canSeeAllRequests } from '#lib/contract/api-keys/can-see-all-requests.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/open.ts';
import type { AccountId } from '../account-id.ts';
import type { PersonActor } from '../actor.ts';
import { getApiKey } from '../api-keys/read-api-keys.ts';
import { readUuidCursor, writeUuidCursor } from '../cursor.ts';
import { notFound } from '../errors.ts';
import { getSupportAccess, listMembers } from '../people/members/read-members.ts';
import { pageOf } from '../read-page.ts';
import { parseUuid } from '../resource-reference.ts';
import { mayBeAsked, obstacleOf, stateAt } from './rules.ts';
import {
  findRotationRequest,
  listOpenRequestsOf,
  listRecordsOf,
  listRequestRecords,
  listStoredOpenRequestsOfKeys,
  targetOf,
  type RotationRequestRecord,
} from './store/request-records.ts';
import { listRequestUuids } from './store/requests.ts';

/**
 * The open requests that a person made or that name them, and every open report of a leak, newest
 * first. Requests that can no longer be done are left out: those past their
 * deadline, of an expired key, or naming a member who left or may no longer be shown the token. If
 * the person who made a request left, it stays, because its reason still applies.
 */
export async function listRotationRequests(
  ctx: Context,
  actor: PersonActor,
): Promise<RotationRequest[]> {
  const now = ctx.clock.now();
  const records = await listOpenRequestsOf(ctx.db, actor.accountId, {
    personId: actor.personId,
    now,
  });
  return records
    .filter((record) => obstacleOf(record, now) === null)
    .map((record) => describeRotationRequest(record, now));
}

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
    personId: canSeeAllRequests(actor.role) ? null : actor.personId,
    before: readUuidCursor('rotation-request-history', cursor),
    limit: limit + 1,
  });
  const { rows, nextCursor } = pageOf(found, limit, ({ request }) =>
    writeUuidCursor('rotation-request-history', request),
  );
  return { requests: rows.map((record) => describeRotationRequest(record, now)), nextCursor };
}

/**
 * A request, regardless of its state, for the person who made it, the member it names, and owners
 * and admins; a report of a leak for every member.
 * @throws ServiceError NOT_FOUND to anyone else
 */
export async function getRotationRequest(
  ctx: Context,
  actor: PersonActor,
  input: { rotationRequest: string },
): Promise<RotationRequest> {
  const uuid = parseUuid(input.rotationRequest);
  const found = await findRotationRequest(ctx.db, actor.accountId, uuid);
  if (!found) throw notFound();
  const { requestedById, memberId, reason } = found.request;
  const isInvolved = [requestedById, memberId].includes(actor.personId);
  if (!isInvolved && reason !== 'leaked' && !canSeeAllRequests(actor.role)) throw notFound();
  return describeRotationRequest(found, ctx.clock.now());
}

/** The other members who can be asked to rotate a key, by name. @throws ServiceError NOT_FOUND */
export async function listRotators(
  ctx: Context,
  actor: PersonActor,
  input: { apiKey: string },
): Promise<Rotator[]> {
  const key = await getApiKey(ctx, actor, input);
  const members = await listMembers(ctx.db, actor.accountId);
  // Not `actor.support`: the actor may be installation support, whose access differs from members'.
  const support = await getSupportAccess(ctx.db, actor.accountId);
  return members.filter(
    ({ id, role }) => id !== actor.personId && mayBeAsked({ role, support }, key.scopes),
  );
}

/** More than a key or webhook ever has; limits what one filter of the audit log searches. */
const max = 1000;

/** Uuids of the requests about a key or webhook of an account; empty if it has neither. */
export async function listRequestsAbout(
  db: Db,
  accountId: AccountId,
  targetUuid: string,
): Promise<string[]> {
  return await listRequestUuids(db, accountId, { targetUuid, limit: max });
}

/** The requests of these keys that are open at `now`, newest first, no matter who made them. */
export async function listOpenRequestsOfKeys(
  db: Db,
  options: { accountIds: readonly AccountId[]; keyIds: readonly number[]; now: Date },
): Promise<RotationRequest[]> {
  if (options.keyIds.length === 0) return [];
  const records = await listStoredOpenRequestsOfKeys(db, options);
  return records
    .map((record) => describeRotationRequest(record, options.now))
    .filter(({ state }) => state === 'open');
}

/** Requests of these accounts by their uuid, in their state at `now`, no matter who made them. */
export async function readRotationRequests(
  db: Db,
  options: { accountIds: readonly AccountId[]; uuids: readonly string[]; now: Date },
): Promise<ReadonlyMap<string, RotationRequest>> {
  if (options.uuids.length === 0) return new Map();
  const records = await listRecordsOf(db, options);
  return new Map(
    records.map((record) => [record.request.uuid, describeRotationRequest(record, options.now)]),
  );
}

/** A request as the dashboard shows it at `now`: expired if it can no longer be done. */
export function describeRotationRequest(record: RotationRequestRecord, now: Date): RotationRequest {
  const { request, lastFour, requestedBy, member } = record;
  const { id, uuid, name } = targetOf(record);
  const isWaiting = stateAt(request, now) === 'open';
  const obstacle = isWaiting ? obstacleOf(record, now) : request.closedBecause;
  const state = isWaiting && obstacle !== null ? 'expired' : stateAt(request, now);
  const closedAt =
    request.closedAt ?? (state === 'expired' && !isWaiting ? request.expiresAt : null);
  return {
    uuid: request.uuid,
    act: request.act,
    target: { id, uuid, name, last_four: lastFour },
    requested_by: { id: requestedBy.id, name: requestedBy.name },
    member: { id: member.id, name: member.name },
    reason: request.reason,
    note: request.note,
    state,
    created_at: formatApiTime(request.createdAt),
    expires_at: formatApiTime(request.expiresAt),
    mailed_at: request.mailedAt && formatApiTime(request.mailedAt),
    closed_at: closedAt && formatApiTime(closedAt),
    closed_by: request.closedBy?.kind === 'system' ? null : (request.closedBy?.name ?? null),
    closed_because: obstacle,
    decline: request.declineReason && {
      reason: request.declineReason,
      message: request.declineMessage,
    },
  };
}
