import type { Context } from '../../context.ts';
import type { Tx } from '../../db/open.ts';
import type { PersonActor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { createNotices } from '../notices/create-notices.ts';
import type { Notice } from '../notices/create-notices.ts';
import { describeActor } from '../people/installation-support/describe-actor.ts';
import { leakMail } from './leaks/leak-mail.ts';
import { mayBeMailed, mayLeakBeMailed } from './may-be-mailed.ts';
import { requestMail } from './request-mail.ts';
import { resolveOpenRequests } from './resolve-open-requests.ts';
import type { NewRequest } from './resolve-open-requests.ts';
import { requestLifetimeMs } from './rules.ts';
import { findRotationRequest } from './store/request-records.ts';
import type { RotationRequestRecord } from './store/request-records.ts';
import { insertRotationRequest } from './store/requests.ts';

/**
 * Makes a request about a locked key or webhook, after the rights of both people were confirmed.
 * The named member gets an email, unless they already got three about the target within a day. Of
 * a leak, all owners and admins get one, or within the hour that of `mailHeldLeakReports`. Pass the notices to `sendNotices` after the commit.
 *
 * @returns the open request instead if it is the same one, made before
 * @throws ServiceError VALIDATION_ERROR as `resolveOpenRequests`
 */
export async function makeRequest(
  tx: Tx,
  ctx: Pick<Context, 'config'>,
  { actor, ...wanted }: NewRequest & { actor: PersonActor },
): Promise<{ record: RotationRequestRecord; notices: Notice[] }> {
  const same = await resolveOpenRequests(tx, actor, wanted);
  if (same) return { record: same, notices: [] };
  const { target, asked, now } = wanted;
  const isMailed =
    asked.reason === 'leaked'
      ? await mayLeakBeMailed(tx, { target, now })
      : await mayBeMailed(tx, { target, personId: asked.member, now });
  const record = await insertRequest(tx, actor, { ...wanted, isMailed });
  if (!isMailed) return { record, notices: [] };
  const { uuid } = record.request;
  const notice = { accountId: actor.accountId, subjectId: uuid, occasion: 'created', now };
  if (asked.reason !== 'leaked') {
    const to = { personId: asked.member };
    const mail = () => requestMail(ctx, { ...record, target });
    return { record, notices: await createNotices(tx, { ...notice, to, mail }) };
  }
  const reportedBy = await describeActor(tx, actor, 'Reported by');
  const mail = () => leakMail(ctx, { ...record, target, reportedBy });
  const leak = { ...notice, except: actor.personId, mail };
  return {
    record,
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
