import type { RequestAct } from '#lib/contract/api-keys/rotation-reasons.ts';
import type { Tx } from '../../../db/open.ts';
import { actorReference, type Actor, type OperatorActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type {
  AccessEnded,
  DatedToken,
  KeyChange,
  TokensEnded,
  WebhookChange,
} from '../../effects.ts';
import { isLeakReportFinished, stateAt } from '../rules.ts';
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
import { endAtDeadline, recordRequestEnd } from './record-request-end.ts';

/**
 * Closes the open requests of a key in the transaction that rotates it, no matter who does that and
 * for whatever reason.
 *
 * A report of a leak stays open while a token works that existed when it was made, so that the
 * person who made it can still revoke the key. However, it is done if the member it names rotates
 * the key for it: they were asked because of the leak, and chose when the token ends.
 */
export async function closeRequestsOfRotatedKey(
  tx: Tx,
  { key, fulfilledUuid, ...change }: TokensEnded & { fulfilledUuid: string | null },
): Promise<void> {
  await closeAllOf(tx, {
    ...change,
    target: keyTarget(key),
    act: 'rotate',
    state: 'done',
    isFulfilled: ({ uuid }) => uuid === fulfilledUuid,
  });
}

/** Closes the open requests of a key in the transaction that revokes it. */
export async function closeRequestsOfRevokedKey(
  tx: Tx,
  { key, ...change }: KeyChange,
): Promise<void> {
  const target = keyTarget(key);
  await closeAllOf(tx, { ...change, target, act: 'rotate', state: 'revoked', validTokens: [] });
}

/**
 * Closes the open requests for an act on a webhook as done, in the transaction of that act. A report
 * of a leak stays open while a secret signs that existed when it was made, unless the member it names
 * regenerated the secret.
 */
export async function closeWebhookRequests(
  tx: Tx,
  act: Exclude<RequestAct, 'rotate'>,
  { actor, webhook, now }: WebhookChange,
): Promise<void> {
  await closeAllOf(tx, {
    actor,
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
  {
    actor,
    target,
    act,
    state,
    isFulfilled = () => false,
    validTokens,
    now,
  }: {
    actor: Actor | OperatorActor;
    target: RequestTarget;
    act: RequestAct;
    state: 'done' | 'revoked';
    isFulfilled?: (request: RotationRequestRow) => boolean;
    validTokens: readonly DatedToken[];
    now: Date;
  },
): Promise<void> {
  const { name } = target;
  for (const request of await lockOpenRequests(tx, target)) {
    if (request.act !== act) continue;
    if (stateAt(request, now) === 'expired') {
      await recordRequestEnd(tx, { request, name, end: endAtDeadline(request), now });
      continue;
    }
    const staysOpen =
      request.reason === 'leaked' &&
      !isFulfilled(request) &&
      !isLeakReportFinished(request, validTokens);
    if (!staysOpen) await close(tx, actor, { request, state, name, now });
  }
}

/** Closes reports of a leak that are over: old tokens ended, or an unused one was replaced. */
export async function closeFinishedLeakReports(
  tx: Tx,
  { actor, key, now, validTokens }: TokensEnded,
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
  { accountId, personId, because, by, origin, now }: AccessEnded,
): Promise<void> {
  for (const record of await listStoredOpenRequestsOf(tx, accountId, personId)) {
    const { request } = record;
    if (stateAt(request, now) === 'expired') continue;
    await closeRequestRow(tx, request, {
      state: 'withdrawn',
      closedAt: now,
      closedBy: by,
      closedBecause: request.requestedById === personId ? because : 'member_left',
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

/** The requests stay done, because the people who made them were told so. */
export async function recordUndoneRotations(
  tx: Tx,
  { actor, key, rotatedAt, now }: KeyChange & { rotatedAt: readonly Date[] },
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
