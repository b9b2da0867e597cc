import { describeRequestAct, type RequestAct } from '#lib/contract/api-keys/rotation-reasons.ts';
import { formatExact } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { Mail, MailContent } from '../../../mail/mail.ts';
import type { AccountId } from '../../account-id.ts';
import { actorReference, type Actor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { dashboardLink } from '../../dashboard-link.ts';
import {
  createNotices,
  sendNotices,
  wantsMail,
  type Notice,
} from '../../people/notices/notices.ts';
import { plainName, quoteName, quoteShortName } from '../../quote-name.ts';
import { deleteWebhook } from '../../webhooks/delete-webhook.ts';
import { stateAt } from '../rules.ts';
import { findRotationRequest } from '../store/request-records.ts';
import { lockOpenRequests, webhookTarget } from '../store/requests.ts';

/**
 * Deletes a webhook, and with it the requests about it. Each that was open is audited as cancelled,
 * and the person who made it gets an email, unless they delete the webhook themselves.
 *
 * @throws ServiceError as `deleteWebhook`
 */
export async function deleteWebhookWithRequests(
  ctx: Context,
  actor: Actor,
  input: { webhook: string },
): Promise<void> {
  const notices: Notice[] = [];
  const mails: Mail[] = [];
  const { accountId } = actor;
  await deleteWebhook(ctx, actor, {
    ...input,
    beforeDeletion: async (tx, { webhook, now }) => {
      for (const { uuid, act, ...request } of await lockOpenRequests(tx, webhookTarget(webhook))) {
        if (stateAt(request, now) === 'expired') continue;
        await recordAudit(tx, {
          actor,
          action: 'rotation_request.cancelled',
          at: now,
          target: { kind: 'rotation_request', id: uuid, name: webhook.name },
          changes: { because: 'webhook_deleted' },
        });
        const record = await findRotationRequest(tx, accountId, uuid);
        if (!record || record.requestedBy.id === actorReference(actor).id) continue;
        const deleted = { accountId, act, name: webhook.name, by: actorReference(actor).name, now };
        const content = webhookDeletedMail(ctx, deleted);
        const { id: personId, email, name, turnedOffMails } = record.requestedBy;
        if (record.requesterRole !== null) {
          const told = { accountId, to: { personId }, subjectId: uuid, occasion: 'ended', now };
          notices.push(...(await createNotices(tx, { ...told, mail: () => content })));
        } else if (record.isOfInstallationSupport && wantsMail(turnedOffMails, content.kind)) {
          mails.push({ ...content, to: email, name: plainName(name) });
        }
      }
    },
  });
  sendNotices(ctx, notices);
  for (const mail of mails) ctx.mail.send(mail);
}

export function webhookDeletedMail(
  ctx: Pick<Context, 'config'>,
  deleted: { accountId: AccountId; act: RequestAct; name: string; by: string; now: Date },
): MailContent {
  const { accountId, act, name, by, now } = deleted;
  return {
    kind: 'rotation_request.webhook_deleted',
    subject: `The webhook ${quoteShortName(name)} was deleted`,
    paragraphs: [
      `${quoteName(by)} deleted the webhook, so your request to ${describeRequestAct(act, `the webhook ${quoteName(name)}`)} has ended.`,
    ],
    facts: [
      ['Webhook', plainName(name)],
      ['Time', formatExact(now, 'UTC')],
    ],
    action: {
      label: 'Open your requests',
      url: dashboardLink(ctx, accountId, 'settings/rotation-requests'),
    },
  };
}
