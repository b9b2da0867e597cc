import type { z } from 'zod';
import type { rotationInput } from '#lib/contract/api-keys/rotation.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/open.ts';
import { actorReference } from '../../actor.ts';
import type { Actor } from '../../actor.ts';
import { shownTo, shownToNobody } from '../../shown-to.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { closeOpenRequests } from '../../rotation-requests/outcomes/close-open-requests.ts';
import type { Notice } from '../../notices/create-notices.ts';
import { decideRotation } from './decide-rotation.ts';
import { describeRotation } from './describe-rotation.ts';
import { notifyOfSupport } from './notify-of-support.ts';
import type { FulfilledRequest } from './notify-of-support.ts';
import type { TokenAfterRotation } from '../rules.ts';
import { endTokensAt, insertToken } from '../store/tokens.ts';
import type { ApiKeyRow } from '../store/keys.ts';
import { digestToken, lastFour, newToken } from '../../../tokens/token.ts';
import { undoTokenIdOf } from '../unconfirmed/rules.ts';
import type { LockedApiKey } from '../locked/with-locked-api-key.ts';

/** The incident for which a key is changed, as audit entries name it. */
export type IncidentName = { uuid: string; reason: string };

/**
 * Rotates a locked key as part of a change. `planRotation` decides what happens to the older
 * tokens; the message and the audit entry name each of them. The rotation also closes the key's
 * open rotation requests as done. Pass the notices to `sendNotices` after the commit.
 *
 * @param locked `incident`: the incident for which the key is rotated. In that case nobody is shown
 *   the token (they ask for a new one in its place), and the rotation cannot be undone.
 *   `fulfilled`: the request for which the key is rotated
 *
 * @throws ServiceError as `decideRotation`
 */
export async function rotateLockedKey(
  ctx: Context,
  actor: Actor,
  locked: LockedApiKey & {
    input: z.output<typeof rotationInput>;
    incident?: IncidentName;
    fulfilled?: FulfilledRequest;
  },
): Promise<{ token: string; tokenId: number; message: string; notices: Notice[] }> {
  const { tx, key, now, incident, fulfilled } = locked;
  const decided = await decideRotation(ctx, actor, locked);
  await carryOut(tx, { key, tokenOutcomes: decided.tokenOutcomes, now });
  const token = newToken();
  await recordAudit(tx, {
    actor,
    action: 'api_key.rotated',
    at: now,
    target: { kind: 'api_key', id: key.uuid, name: key.name },
    changes: {
      last_four: lastFour(token),
      older_tokens: decided.tokenOutcomes.map((outcome) => ({
        last_four: outcome.token.lastFour,
        valid_until: formatApiTime(outcome.validUntil ?? now),
      })),
      ...(incident && { reason: incident.reason, incident: incident.uuid }),
    },
  });
  const kept = decided.tokenOutcomes.filter(({ validUntil }) => validUntil !== null);
  const { isLeakReported } = await closeOpenRequests(tx, actor, {
    key,
    state: 'done',
    fulfilledUuid: fulfilled?.uuid ?? null,
    validTokens: kept.map((outcome) => outcome.token),
    now,
  });
  const shown = incident ? shownToNobody(now) : shownTo(actor, now);
  const canBeUndone = shown.unconfirmedSince !== null && incident === undefined && !isLeakReported;
  const { id: tokenId } = await insertToken(tx, {
    accountId: actor.accountId,
    apiKeyId: key.id,
    digest: digestToken(token),
    lastFour: lastFour(token),
    createdAt: now,
    createdBy: actorReference(actor),
    ...shown,
    undoTokenId: canBeUndone ? undoTokenIdOf(decided) : null,
  });
  const notices = await notifyOfSupport(tx, ctx, {
    actor,
    key,
    lastFour: lastFour(token),
    fulfilled,
    now,
  });
  return { token, tokenId, message: describeRotation(decided, now), notices };
}

/** Stores the decision. A token that keeps an earlier deadline needs no write. */
async function carryOut(
  tx: Tx,
  {
    key,
    tokenOutcomes,
    now,
  }: { key: ApiKeyRow; tokenOutcomes: readonly TokenAfterRotation[]; now: Date },
): Promise<void> {
  const ended = tokenOutcomes.filter(({ validUntil }) => validUntil === null);
  await endTokensAt(tx, key, { tokenIds: ended.map(({ token }) => token.id), validUntil: now });
  for (const { token, validUntil } of tokenOutcomes) {
    if (token.validUntil === null && validUntil !== null) {
      await endTokensAt(tx, key, { tokenIds: [token.id], validUntil });
    }
  }
}
