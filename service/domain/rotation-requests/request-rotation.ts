import type { z } from 'zod';
import type {
  RotationRequest,
  requestRotationInput,
} from '#lib/contract/api-keys/rotation-requests.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/open.ts';
import { actorReference } from '../actor.ts';
import type { PersonActor } from '../actor.ts';
import { databaseLimits } from '../../limiter/limits.ts';
import { confirmActor } from '../api-keys/locked/confirm-actor.ts';
import type { ConfirmedActor } from '../api-keys/locked/confirm-actor.ts';
import { getApiKey } from '../api-keys/get-api-key.ts';
import { scopesOfKey } from '../api-keys/rules.ts';
import { refuseEndedKey } from '../api-keys/locked/refuse-ended-key.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { invalid, notFound } from '../errors.ts';
import { getSupportAccess } from '../people/members/get-support-access.ts';
import { createNotices } from '../notices/create-notices.ts';
import { sendNotices } from '../notices/send-notices.ts';
import { listMembers } from '../people/members/list-members.ts';
import { describeRotationRequest } from './describe-rotation-request.ts';
import { requestMail } from './request-mail.ts';
import { mayBeAsked, mayStillBeAsked, requestLifetimeMs, stateAt } from './rules.ts';
import { countRequestMails, noteToldOutcome } from './store/request-mails.ts';
import { findRotationRequest } from './store/request-records.ts';
import { closeRequestRow, insertRotationRequest, lockOpenRequest } from './store/requests.ts';
import type { RotationRequestRow } from './store/requests.ts';

type Key = NonNullable<ConfirmedActor['target']>;
type Asked = z.output<typeof requestRotationInput>;

/**
 * Asks another member to rotate a key, within 72 hours. Nothing happens to the key until they do.
 * Everybody who may rotate keys may ask, in particular for keys whose token they must not see. The
 * member also gets an email, unless they already got three about this key within a day: then the
 * request is still made, and it and the audit entry say that no email was sent.
 *
 * @throws ServiceError NOT_FOUND; FORBIDDEN; VALIDATION_ERROR with `details.member` if the member
 *   cannot rotate the key or is the caller, with `details.api_key` if the key is revoked or
 *   expired, or if it already has an open request that the caller does not replace by reporting a
 *   leak
 */
export async function requestRotation(
  ctx: Context,
  actor: PersonActor,
  input: { apiKey: string } & Asked,
): Promise<RotationRequest> {
  const { id } = await getApiKey(ctx, actor, input);
  const now = ctx.clock.now();
  const made = await ctx.db.transaction(async (tx) => {
    const { target: key } = await confirmActor(tx, actor, {
      config: ctx.config,
      clock: ctx.clock,
      act: 'api-keys.rotate',
      scope: 'api-keys:manage',
      targetId: id,
    });
    if (!key) throw notFound();
    refuseEndedKey(key, now);
    await refuseUnfitMember(tx, actor, { memberId: input.member, key });
    await makeRoom(tx, actor, { key, input, now });
    const isMailed = await mayBeMailed(tx, { key, memberId: input.member, now });

    const { uuid } = await insertRotationRequest(tx, {
      accountId: actor.accountId,
      apiKeyId: key.id,
      requestedById: actor.personId,
      memberId: input.member,
      reason: input.reason,
      note: input.note || null,
      state: 'open',
      createdAt: now,
      expiresAt: new Date(now.getTime() + requestLifetimeMs),
      mailedAt: isMailed ? now : null,
    });
    const record = await findRotationRequest(tx, actor.accountId, uuid);
    if (!record) throw new Error('an inserted rotation request was not found');
    await recordAudit(tx, {
      actor,
      action: 'rotation_request.created',
      at: now,
      target: { kind: 'rotation_request', id: uuid, name: key.name },
      changes: {
        member: record.member.name,
        reason: input.reason,
        ...(!isMailed && { mailed: false }),
      },
    });
    if (!isMailed) return { record, notices: [] };
    const notices = await createNotices(tx, {
      accountId: actor.accountId,
      to: { personId: input.member },
      subjectId: uuid,
      occasion: 'created',
      now,
      mail: () => requestMail(ctx, record),
    });
    return { record, notices };
  });
  sendNotices(ctx, made.notices);
  return describeRotationRequest(made.record, now);
}

async function refuseUnfitMember(
  tx: Tx,
  actor: PersonActor,
  { memberId, key }: { memberId: string; key: Key },
): Promise<void> {
  if (memberId === actor.personId) throw invalid('member', 'Choose somebody else.');
  const members = await listMembers(tx, actor.accountId);
  const member = members.find((each) => each.id === memberId);
  const support = await getSupportAccess(tx, actor.accountId);
  if (!mayBeAsked(member ? { role: member.role, support } : null, scopesOfKey(key))) {
    throw invalid('member', 'Choose a member who may see the token of this key.');
  }
}

/** The key is locked, so two requests cannot count at the same time. */
async function mayBeMailed(
  tx: Tx,
  { key, memberId, now }: { key: Key; memberId: string; now: Date },
): Promise<boolean> {
  const { size, windowSeconds } = databaseLimits['rotation-request-mail'];
  const since = new Date(now.getTime() - windowSeconds * 1000);
  return (await countRequestMails(tx, { key, personId: memberId, since })) < size;
}

/**
 * An open request prevents another one, unless it expired, nobody is left who could do it, or the
 * person who made it now reports a leak, which must not wait.
 */
async function makeRoom(
  tx: Tx,
  actor: PersonActor,
  about: { key: Key; input: Asked; now: Date },
): Promise<void> {
  const { key, input, now } = about;
  const open = await lockOpenRequest(tx, key);
  const known = open && (await findRotationRequest(tx, actor.accountId, open.uuid));
  if (!open || !known) return;
  if (stateAt(open, now) !== 'open' || !mayStillBeAsked(known)) {
    await closeRequestRow(tx, open, { state: 'expired', closedAt: now, closedBy: null });
    return;
  }
  const isOwn = open.requestedById === actor.personId;
  if (isOwn && input.reason === 'leaked' && open.reason !== 'leaked') {
    await withdrawForLeak(tx, actor, { open, key, input, now });
    return;
  }
  throw invalid(
    'api_key',
    `${known.requestedBy.name} already asked ${known.member.name} to rotate this key. Request ${open.uuid} is open until ${formatApiTime(open.expiresAt)}, unless it is withdrawn or declined before.`,
  );
}

async function withdrawForLeak(
  tx: Tx,
  actor: PersonActor,
  about: { open: RotationRequestRow; key: Key; input: Asked; now: Date },
): Promise<void> {
  const { open, key, input, now } = about;
  const closedBy = actorReference(actor);
  await closeRequestRow(tx, open, { state: 'withdrawn', closedAt: now, closedBy });
  // A member who is asked again must not get an email that says they need not do anything.
  if (open.memberId === input.member) await noteToldOutcome(tx, open, { to: null, at: now });
  await recordAudit(tx, {
    actor,
    action: 'rotation_request.withdrawn',
    at: now,
    target: { kind: 'rotation_request', id: open.uuid, name: key.name },
  });
}
