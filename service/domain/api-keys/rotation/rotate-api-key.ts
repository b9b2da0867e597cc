import type { z } from 'zod';
import {
  rotateApiKey as contract,
  rotateCallingApiKey as callingContract,
} from '#lib/contract/api-keys/api-keys.ts';
import type { rotationInput } from '#lib/contract/api-keys/rotation.ts';
import { formatApiTime, formatExact } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/open.ts';
import type { MailContent } from '../../../mail/mail.ts';
import { digestToken, lastFour, newToken } from '../../../tokens/token.ts';
import { actorReference, type Actor, type ApiKeyActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { dashboardLink } from '../../dashboard-link.ts';
import { runEffects } from '../../effects.ts';
import { forbidden, invalid } from '../../errors.ts';
import { createNotices, sendNotices, type Notice } from '../../people/notices/notices.ts';
import { plainName, quoteName, quoteShortName } from '../../quote-name.ts';
import { disclosedTo, notDisclosed } from '../../disclosure.ts';
import { changeApiKey, type LockedApiKey } from '../change-api-key.ts';
import { undoTokenIdOf, type TokenAfterRotation } from '../rules.ts';
import { lockReportedLeak, type ApiKeyRow } from '../store/keys.ts';
import { endTokensAt, insertToken } from '../store/tokens.ts';
import { decideRotation } from './decide-rotation.ts';
import { notifyOfSupport, type FulfilledRequest } from './notify-of-support.ts';
import { describeRotation, repeatRotation } from './replace-unused-token.ts';

/**
 * Gives a key a new token (specification 4.4). The key itself does not change. If the request is
 * repeated with its `Idempotency-Key`, nothing is rotated again: the token it made is replaced,
 * unless it was used.
 *
 * @throws ServiceError NOT_FOUND; FORBIDDEN if the actor could not have created such a key, or
 *   calls with a token in its grace period, except to repeat the rotation that put it there;
 *   VALIDATION_ERROR if the key is revoked or expired, if too many of its tokens would be valid, if
 *   `expected_last_four` is not the newest token's, or on `Idempotency-Key` for a repeat that is
 *   refused
 */
export async function rotateApiKey(
  ctx: Context,
  actor: Actor,
  input: { apiKey: string; idempotencyKey?: string | null } & z.output<typeof rotationInput>,
): Promise<{ token: string; message: string }> {
  const { idempotencyKey: key = null, ...request } = input;
  const { notices, ...rotated } = await changeApiKey(ctx, actor, {
    apiKey: input.apiKey,
    act: 'api-keys.rotate',
    repeatable: { key, route: contract.name, request },
    change: async (locked) => {
      const { earlier, keep } = locked.claim;
      if (earlier) return await repeatRotation(ctx, actor, { ...locked, earlier });
      const { tokenId, ...rotation } = await rotateLockedKey(ctx, actor, { ...locked, input });
      const callerTokenId = actor.kind === 'api_key' ? actor.tokenId : null;
      await keep({ apiKeyId: locked.key.id, tokenId, callerTokenId });
      return rotation;
    },
  });
  sendNotices(ctx, notices);
  return rotated;
}

/**
 * Gives the calling key a new token, regardless of its scopes, with the grace period of the
 * installation. Owners and admins are mailed each time, also of a repeat with the same
 * `Idempotency-Key`, which returns another token.
 *
 * @throws ServiceError FORBIDDEN if no owner or admin lets the key rotate itself, or if it calls
 *   with a token in its grace period, except to repeat the rotation that put it there;
 *   VALIDATION_ERROR while a leak of the key is reported, if too many of its tokens would be valid,
 *   or on `Idempotency-Key` for a repeat that is refused
 */
export async function rotateCallingApiKey(
  ctx: Context,
  actor: ApiKeyActor,
  { idempotencyKey }: { idempotencyKey: string | null },
): Promise<{ token: string; message: string }> {
  const { notices, token, message } = await changeApiKey(ctx, actor, {
    apiKey: String(actor.keyId),
    act: 'api-keys.rotate',
    isCaller: true,
    repeatable: { key: idempotencyKey, route: callingContract.name, request: {} },
    change: async (locked) => {
      const { tx, key, now, claim } = locked;
      if (!key.mayRotateItself) throw forbidden('self_rotation');
      if (await lockReportedLeak(tx, key, now)) throw invalid('api_key', leakReported);
      const rotate = async () => {
        const { tokenId, ...rotated } = await rotateLockedKey(ctx, actor, { ...locked, input: {} });
        await claim.keep({ apiKeyId: key.id, tokenId, callerTokenId: actor.tokenId });
        return rotated;
      };
      const rotated = claim.earlier
        ? await repeatRotation(ctx, actor, { ...locked, earlier: claim.earlier })
        : await rotate();
      const shown = { key, lastFour: lastFour(rotated.token), address: actor.origin.ip, now };
      const created = await createNotices(tx, {
        accountId: actor.accountId,
        to: { act: 'api-keys.revoke' },
        subjectId: key.uuid,
        occasion: `self:${now.toISOString()}`,
        now,
        mail: () => selfRotationMail(ctx, shown),
      });
      return { ...rotated, notices: created };
    },
  });
  sendNotices(ctx, notices);
  return { token, message };
}

const [leakReported] = callingContract.stateRefusal.api_key;

export function selfRotationMail(
  ctx: Pick<Context, 'config'>,
  {
    key,
    lastFour: newLastFour,
    address,
    now,
  }: {
    key: Pick<ApiKeyRow, 'accountId' | 'id' | 'name'>;
    lastFour: string;
    address: string;
    now: Date;
  },
): MailContent {
  return {
    kind: 'api_key.rotated_itself',
    subject: `The API key ${quoteShortName(key.name)} rotated itself`,
    paragraphs: [
      `A program used the API key ${quoteName(key.name)} to give this key a new token. If you did not expect this, rotate or revoke the key.`,
    ],
    facts: [
      ['API key', plainName(key.name)],
      ['New token ends in', newLastFour],
      ['Address', address],
      ['Time', formatExact(now, 'UTC')],
    ],
    action: {
      label: 'Open the key',
      url: dashboardLink(ctx, key.accountId, `settings/api-keys/${key.id}`),
    },
  };
}

/** The incident for which a key is changed, as audit entries name it. */
type IncidentName = { uuid: string; reason: string };

/**
 * Rotates a locked key as part of a change. `planRotation` decides what happens to the older
 * tokens; the message and the audit entry name each of them. Pass the notices to `sendNotices` after
 * the commit.
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
  const shown = incident ? notDisclosed(now) : disclosedTo(actor, now);
  // Before the effects, which close reports of a leak.
  const canBeUndone =
    shown.unconfirmedSince !== null &&
    incident === undefined &&
    !(await lockReportedLeak(tx, key, now));
  await runEffects(tx, ctx.effects.keyRotated, {
    actor,
    key,
    fulfilledUuid: fulfilled?.uuid ?? null,
    validTokens: kept.map((outcome) => outcome.token),
    now,
  });
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
      await endTokensAt(tx, key, { tokenIds: [token.id], validUntil, replacedAt: now });
    }
  }
}
