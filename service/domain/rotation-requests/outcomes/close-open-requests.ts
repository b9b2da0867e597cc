import type { RequestAct, RequestObstacle } from '#lib/contract/api-keys/rotation-reasons.ts';
import type { Tx } from '../../../db/open.ts';
import type { ActorReference } from '../../../db/schema/columns.ts';
import type { AccountId } from '../../account-id.ts';
import { actorReference, type Actor, type OperatorActor, type Origin } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { isLeakReportFinished, stateAt, type DatedToken } from '../rules.ts';
import { listSigningSecrets } from '../store/leaks.ts';
import { listStoredOpenRequestsOf, targetOf } from '../store/request-records.ts';
import {
  closeRequestRow,
  keyTarget,
  listFulfilledRequests,
  lockOpenRequests,
  webhookTarget,
  type RequestTarget,
  type RotationRequestRow,
} from '../store/requests.ts';
import { endAtDeadline, storeEnd } from './store-end.ts';

type NamedRow = { accountId: string; id: number; name: string };

type ChangedKey = {
  key: NamedRow;
  now: Date;
  /** The tokens of the key that stay valid, without the new one. */
  validTokens: readonly DatedToken[];
};

/**
 * Closes the open requests of a key in the transaction that rotates or revokes the key, whoever
 * does that and for whatever reason. The key must be locked.
 *
 * A report of a leak stays open while a token works that existed when it was made, so that the
 * person who made it can still revoke the key. However, it is done if the member it names rotates
 * the key for it: they were asked because of the leak, and chose when the token ends.
 *
 * @param options `fulfilledUuid`: uuid of the request for which its named member rotates the key
 * @returns whether a leak was reported
 */
export async function closeOpenRequests(
  tx: Tx,
  actor: Actor | OperatorActor,
  {
    key,
    fulfilledUuid,
    ...rest
  }: ChangedKey & {
    state: 'done' | 'revoked';
    fulfilledUuid: string | null;
  },
): Promise<{ isLeakReported: boolean }> {
  return await closeAllOf(tx, actor, {
    ...rest,
    target: keyTarget(key),
    act: 'rotate',
    isFulfilled: ({ uuid }) => uuid === fulfilledUuid,
  });
}

/**
 * Closes the open requests for an act on a webhook as done, in the transaction of that act. The
 * webhook must be locked. A report of a leak stays open while a secret signs that existed when it
 * was made, unless the member it names regenerated the secret.
 */
export async function closeWebhookRequests(
  tx: Tx,
  actor: Actor,
  { webhook, act, now }: { webhook: NamedRow; act: Exclude<RequestAct, 'rotate'>; now: Date },
): Promise<void> {
  await closeAllOf(tx, actor, {
    target: webhookTarget(webhook),
    act,
    state: 'done',
    validTokens: await listSigningSecrets(tx, webhook, now),
    now,
    isFulfilled: ({ memberId }) => actor.kind === 'person' && actor.personId === memberId,
  });
}

async function closeAllOf(
  tx: Tx,
  actor: Actor | OperatorActor,
  {
    target,
    act,
    state,
    isFulfilled,
    validTokens,
    now,
  }: {
    target: RequestTarget;
    act: RequestAct;
    state: 'done' | 'revoked';
    isFulfilled: (request: RotationRequestRow) => boolean;
    validTokens: readonly DatedToken[];
    now: Date;
  },
): Promise<{ isLeakReported: boolean }> {
  const { name } = target;
  let isLeakReported = false;
  for (const request of await lockOpenRequests(tx, target)) {
    if (request.act !== act) continue;
    if (stateAt(request, now) === 'expired') {
      await storeEnd(tx, { request, name, end: endAtDeadline(request), now });
      continue;
    }
    const isLeak = request.reason === 'leaked';
    isLeakReported ||= isLeak;
    const staysOpen =
      isLeak && !isFulfilled(request) && !isLeakReportFinished(request, validTokens);
    if (!staysOpen) await close(tx, actor, { request, state, name, now });
  }
  return { isLeakReported };
}

/**
 * Closes the reports of a leak that are over because older tokens of the key were ended, or an
 * unused one was replaced. The key must be locked.
 */
export async function closeFinishedLeakReports(
  tx: Tx,
  actor: Actor,
  { key, now, validTokens }: ChangedKey,
): Promise<void> {
  for (const request of await lockOpenRequests(tx, keyTarget(key))) {
    const isOpenLeak = request.reason === 'leaked' && stateAt(request, now) === 'open';
    if (isOpenLeak && isLeakReportFinished(request, validTokens)) {
      await close(tx, actor, { request, state: 'done', name: key.name, now });
    }
  }
}

async function close(
  tx: Tx,
  actor: Actor | OperatorActor,
  {
    request,
    state,
    name,
    now,
  }: { request: RotationRequestRow; state: 'done' | 'revoked'; name: string; now: Date },
): Promise<void> {
  await closeRequestRow(tx, request, { state, closedAt: now, closedBy: actorReference(actor) });
  await recordAudit(tx, {
    actor,
    action: `rotation_request.${state}`,
    at: now,
    target: { kind: 'rotation_request', id: request.uuid, name },
  });
}

/**
 * Withdraws the open requests of a person who leaves the account: those they made, and those that
 * name them. The latter must not block another request, because a key has one open request at a
 * time, and so has a webhook for each act, apart from reports of a leak.
 */
export async function closeRequestsOfMember(
  tx: Tx,
  {
    accountId,
    personId,
    requesterBecause = 'requester_left',
    by,
    origin,
    now,
  }: {
    accountId: AccountId;
    personId: string;
    /** Why those requests are withdrawn that they made. */
    requesterBecause?: RequestObstacle;
    by: ActorReference;
    origin: Origin | null;
    now: Date;
  },
): Promise<void> {
  for (const record of await listStoredOpenRequestsOf(tx, accountId, personId)) {
    const { request } = record;
    if (stateAt(request, now) === 'expired') continue;
    await closeRequestRow(tx, request, {
      state: 'withdrawn',
      closedAt: now,
      closedBy: by,
      closedBecause: request.requestedById === personId ? requesterBecause : 'member_left',
    });
    await recordAudit(tx, {
      accountId,
      by,
      origin,
      action: 'rotation_request.withdrawn',
      at: now,
      target: { kind: 'rotation_request', id: request.uuid, name: targetOf(record).name },
    });
  }
}

/**
 * Records that rotations that fulfilled requests were undone. The requests stay done, because the
 * people who made them were told so. The key must be locked.
 *
 * @param options `rotatedAt`: when each of the undone rotations made its token
 */
export async function recordUndoneRotations(
  tx: Tx,
  actor: Actor,
  {
    key,
    rotatedAt,
    now,
  }: {
    key: { accountId: string; id: number; name: string };
    rotatedAt: readonly Date[];
    now: Date;
  },
): Promise<void> {
  for (const request of await listFulfilledRequests(tx, key, rotatedAt)) {
    await recordAudit(tx, {
      actor,
      action: 'rotation_request.rotation_undone',
      at: now,
      target: { kind: 'rotation_request', id: request.uuid, name: key.name },
    });
  }
}
