import type { Tx } from '../../../db/open.ts';
import { actorReference } from '../../actor.ts';
import type { Actor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { isLeakReportFinished, stateAt } from '../rules.ts';
import type { DatedToken } from '../rules.ts';
import { closeRequestRow, lockOpenRequests } from '../store/requests.ts';
import type { RotationRequestRow } from '../store/requests.ts';
import { endAtDeadline, storeEnd } from './store-end.ts';

type ChangedKey = {
  key: { accountId: string; id: number; name: string };
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
  actor: Actor,
  {
    state,
    fulfilledUuid,
    key,
    validTokens,
    now,
  }: ChangedKey & { state: 'done' | 'revoked'; fulfilledUuid: string | null },
): Promise<{ isLeakReported: boolean }> {
  let isLeakReported = false;
  for (const request of await lockOpenRequests(tx, key)) {
    if (stateAt(request, now) === 'expired') {
      await storeEnd(tx, { request, key, end: endAtDeadline(request), now });
      continue;
    }
    const isLeak = request.reason === 'leaked';
    isLeakReported ||= isLeak;
    const staysOpen =
      isLeak && request.uuid !== fulfilledUuid && !isLeakReportFinished(request, validTokens);
    if (!staysOpen) await close(tx, actor, { request, state, key, now });
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
  for (const request of await lockOpenRequests(tx, key)) {
    const isOpenLeak = request.reason === 'leaked' && stateAt(request, now) === 'open';
    if (isOpenLeak && isLeakReportFinished(request, validTokens)) {
      await close(tx, actor, { request, state: 'done', key, now });
    }
  }
}

async function close(
  tx: Tx,
  actor: Actor,
  {
    request,
    state,
    key,
    now,
  }: Pick<ChangedKey, 'key' | 'now'> & {
    request: RotationRequestRow;
    state: 'done' | 'revoked';
  },
): Promise<void> {
  await closeRequestRow(tx, request, { state, closedAt: now, closedBy: actorReference(actor) });
  await recordAudit(tx, {
    actor,
    action: `rotation_request.${state}`,
    at: now,
    target: { kind: 'rotation_request', id: request.uuid, name: key.name },
  });
}
