import type { z } from 'zod';
import {
  requestWebhookAct as contract,
  type requestRotationInput,
  type requestWebhookActInput,
  type RotationRequest,
} from '#lib/contract/api-keys/rotation-requests.ts';
import { mayAct } from '#lib/contract/rights/roles.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/open.ts';
import type { PersonActor } from '../actor.ts';
import { refuseEndedKey } from '../api-keys/change-api-key.ts';
import { confirmActor, type ConfirmedActor } from '../api-keys/confirm-actor.ts';
import { publishLeakReport } from '../api-keys/revoke-api-key.ts';
import { getApiKey } from '../api-keys/read-api-keys.ts';
import { scopesOfKey } from '../api-keys/rules.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { invalid, notFound } from '../errors.ts';
import { createNotices, sendNotices, type Notice } from '../people/notices/notices.ts';
import { describeActor } from '../people/installation-support/describe-actor.ts';
import { confirmMember } from '../people/members/confirm-member.ts';
import { getSupportAccess, listMembers } from '../people/members/read-members.ts';
import { lockExistingWebhook } from '../webhooks/lock-webhook.ts';
import { findWebhook } from '../webhooks/read-webhooks.ts';
import { mayBeMailed, mayLeakBeMailed } from './may-be-mailed.ts';
import { describeRotationRequest } from './read-requests.ts';
import { leakMail, requestMail } from './request-mail.ts';
import { resolveOpenRequests, type NewRequest } from './resolve-open-requests.ts';
import { actsOnWebhooks, mayBeAsked, requestLifetimeMs } from './rules.ts';
import { findRotationRequest, type RotationRequestRecord } from './store/request-records.ts';
import { insertRotationRequest, keyTarget, webhookTarget } from './store/requests.ts';

type Key = NonNullable<ConfirmedActor['target']>;

/**
 * Asks another member to rotate a key, within 72 hours. Nothing happens to the key until they do.
 * Everyone who may rotate keys may ask, in particular for keys whose token they must not see. The
 * member also gets an email, unless they already got three about this key within a day: then the
 * request is still made, and it and the audit entry say that no email was sent. Of a leak, all
 * owners and admins get an email. The same request again, for example after a lost response,
 * returns the open one.
 *
 * @throws ServiceError NOT_FOUND; FORBIDDEN; VALIDATION_ERROR with `details.member` if the member
 *   cannot rotate the key or is the caller, with `details.api_key` if the key is revoked or
 *   expired, or if it has an open request already, unless the caller reports a leak
 */
export async function requestRotation(
  ctx: Context,
  actor: PersonActor,
  input: { apiKey: string } & z.output<typeof requestRotationInput>,
): Promise<RotationRequest> {
  const { id } = await getApiKey(ctx, actor, input);
  const made = await ctx.db.transaction(async (tx) => {
    const { target: key } = await confirmActor(tx, actor, {
      config: ctx.config,
      clock: ctx.clock,
      act: 'api-keys.rotate',
      scope: 'api-keys:manage',
      targetId: id,
    });
    if (!key) throw notFound();
    // After the locks: a report of a leak is about every token that exists by then.
    const now = ctx.clock.now();
    refuseEndedKey(key, now);
    await refuseUnfitMember(tx, actor, { memberId: input.member, key });
    const asked = { ...input, act: 'rotate' } as const;
    const request = await makeRequest(tx, ctx, { actor, target: keyTarget(key), asked, now });
    const isLeak = request.isNew && input.reason === 'leaked';
    const { origin } = actor;
    const toQueue = isLeak ? await publishLeakReport(ctx, tx, { key, origin, now }) : [];
    return { ...request, toQueue };
  });
  ctx.laneNotifier.queue(made.toQueue);
  sendNotices(ctx, made.notices);
  return describeRotationRequest(made.record, ctx.clock.now());
}

async function refuseUnfitMember(
  tx: Tx,
  actor: PersonActor,
  { memberId, key }: { memberId: string; key: Key },
): Promise<void> {
  if (memberId === actor.personId) throw invalid('member', 'Choose someone else.');
  const members = await listMembers(tx, actor.accountId);
  const member = members.find((each) => each.id === memberId);
  const support = await getSupportAccess(tx, actor.accountId);
  if (!mayBeAsked(member ? { role: member.role, support } : null, scopesOfKey(key))) {
    throw invalid('member', 'Choose a member who may see the token of this key.');
  }
}

/**
 * Asks an owner or an admin to regenerate the signing secret of a webhook or to resume it, within
 * 72 hours, by the rules of `requestRotation`. Nothing happens to the webhook until they do, also
 * if the secret may have leaked.
 *
 * @throws ServiceError NOT_FOUND; FORBIDDEN; VALIDATION_ERROR with `details.member` if the member
 *   may not do it or is the caller, with `details.webhook` if there is nothing to resume or an
 *   open request prevents it
 */
export async function requestWebhookAct(
  ctx: Context,
  actor: PersonActor,
  input: { webhook: string } & z.output<typeof requestWebhookActInput>,
): Promise<RotationRequest> {
  const { id } = await findWebhook(ctx, actor, input);
  const { act, member, note } = input;
  const { record, notices } = await ctx.db.transaction(async (tx) => {
    await confirmMember(tx, actor, contract.access.act);
    const webhook = await lockExistingWebhook(tx, actor.accountId, id);
    // After the locks: a report of a leak is about every secret that exists by then.
    const now = ctx.clock.now();
    if (act === 'resume' && webhook.isActive) throw invalid('webhook', 'This webhook is active.');
    if (member === actor.personId) throw invalid('member', 'Choose someone else.');
    const named = (await listMembers(tx, actor.accountId)).find((each) => each.id === member);
    if (!named || !mayAct(named.role, actsOnWebhooks[act])) {
      throw invalid('member', 'Choose an owner or an admin.');
    }
    const asked = { act, member, note, reason: input.reason ?? 'recovered' } as const;
    return await makeRequest(tx, ctx, { actor, target: webhookTarget(webhook), asked, now });
  });
  sendNotices(ctx, notices);
  return describeRotationRequest(record, ctx.clock.now());
}

/**
 * Makes a request about a locked key or webhook, after the rights of both people were confirmed.
 * The named member gets an email, unless they already got three about the target within a day. Of
 * a leak, all owners and admins get one, or within the hour that of `mailHeldLeakReports`. Pass the notices to `sendNotices` after the commit.
 *
 * @returns the open request instead if it is the same one, made before
 * @throws ServiceError VALIDATION_ERROR as `resolveOpenRequests`
 */
async function makeRequest(
  tx: Tx,
  ctx: Pick<Context, 'config'>,
  { actor, ...wanted }: NewRequest & { actor: PersonActor },
): Promise<{ record: RotationRequestRecord; notices: Notice[]; isNew: boolean }> {
  const same = await resolveOpenRequests(tx, actor, wanted);
  if (same) return { record: same, notices: [], isNew: false };
  const { target, asked, now } = wanted;
  const isMailed =
    asked.reason === 'leaked'
      ? await mayLeakBeMailed(tx, { target, now })
      : await mayBeMailed(tx, { target, personId: asked.member, now });
  const record = await insertRequest(tx, actor, { ...wanted, isMailed });
  if (!isMailed) return { record, notices: [], isNew: true };
  const { uuid } = record.request;
  const notice = { accountId: actor.accountId, subjectId: uuid, occasion: 'created', now };
  if (asked.reason !== 'leaked') {
    const to = { personId: asked.member };
    const mail = () => requestMail(ctx, { ...record, target });
    return { record, notices: await createNotices(tx, { ...notice, to, mail }), isNew: true };
  }
  const reportedBy = await describeActor(tx, actor, 'Reported by');
  const mail = () => leakMail(ctx, { ...record, target, reportedBy });
  const leak = { ...notice, except: actor.personId, mail };
  return {
    record,
    isNew: true,
    notices: [
      ...(await createNotices(tx, { ...leak, to: { act: 'team.manage' } })),
      // Also if their role is not one of those.
      ...(await createNotices(tx, { ...leak, to: { personId: asked.member } })),
    ],
  };
}

/** Stores a request, and audits it. */
async function insertRequest(
  tx: Tx,
  actor: PersonActor,
  { target, asked, isMailed, now }: NewRequest & { isMailed: boolean },
): Promise<RotationRequestRecord> {
  const { accountId } = actor;
  const { apiKeyId, webhookId, name } = target;
  const { uuid } = await insertRotationRequest(tx, {
    accountId,
    act: asked.act,
    apiKeyId,
    webhookId,
    requestedById: actor.personId,
    memberId: asked.member,
    reason: asked.reason,
    note: asked.note || null,
    state: 'open',
    createdAt: now,
    expiresAt: new Date(now.getTime() + requestLifetimeMs),
    mailedAt: isMailed ? now : null,
  });
  const record = await findRotationRequest(tx, accountId, uuid);
  if (!record) throw new Error('an inserted request was not found');
  await recordAudit(tx, {
    actor,
    action: 'rotation_request.created',
    at: now,
    target: { kind: 'rotation_request', id: uuid, name },
    changes: {
      act: asked.act,
      member: record.member.name,
      reason: asked.reason,
      ...(!isMailed && asked.reason !== 'leaked' && { mailed: false }),
    },
  });
  return record;
}
