import { wordRequestAct, wordRequestReason } from '#lib/contract/api-keys/rotation-reasons.ts';
import { formatExact } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import type { MailContent } from '../../mail/mail.ts';
import { dashboardLink } from '../dashboard-link.ts';
import { plainName, quoteName, quoteShortName } from '../quote-name.ts';
import type { RotationRequestRecord } from './store/request-records.ts';

/**
 * The email that asks the named member. The note stays in the dashboard, because it may contain
 * pasted secrets.
 */
export function requestMail(
  ctx: Pick<Context, 'config'>,
  {
    request,
    target,
    requestedBy,
  }: {
    request: Pick<RotationRequestRecord['request'], 'uuid' | 'act' | 'reason' | 'expiresAt'>;
    target: { accountId: string; name: string };
    requestedBy: { name: string };
  },
): MailContent {
  const { act } = request;
  const what = act === 'rotate' ? 'the API key' : 'the webhook';
  return {
    kind: 'rotation_request.created',
    subject: `You are asked to ${wordRequestAct(act, `${what} ${quoteShortName(target.name)}`)}`,
    paragraphs: [
      `${quoteName(requestedBy.name)} asks you to ${wordRequestAct(act, `${what} ${quoteName(target.name)}`)}. Nothing changes until you do.`,
    ],
    facts: [
      [act === 'rotate' ? 'API key' : 'Webhook', plainName(target.name)],
      ['Asked by', plainName(requestedBy.name)],
      ['Reason', wordRequestReason(request)],
      ['Open until', formatExact(request.expiresAt, 'UTC')],
    ],
    action: {
      label: 'Open the request',
      url: dashboardLink(ctx, target.accountId, `settings/rotation-requests/${request.uuid}`),
    },
  };
}
