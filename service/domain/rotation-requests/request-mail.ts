import { rotationReasonTable } from '#lib/contract/api-keys/rotation-reasons.ts';
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
    key,
    requestedBy,
  }: {
    request: Pick<RotationRequestRecord['request'], 'uuid' | 'reason' | 'expiresAt'>;
    key: Pick<RotationRequestRecord['key'], 'accountId' | 'name'>;
    requestedBy: { name: string };
  },
): MailContent {
  return {
    kind: 'rotation_request.created',
    subject: `You are asked to rotate the API key ${quoteShortName(key.name)}`,
    paragraphs: [
      `${quoteName(requestedBy.name)} asks you to rotate the API key ${quoteName(key.name)}. Nothing happens to the key until you rotate it.`,
    ],
    facts: [
      ['API key', plainName(key.name)],
      ['Asked by', plainName(requestedBy.name)],
      ['Reason', rotationReasonTable[request.reason]],
      ['Open until', formatExact(request.expiresAt, 'UTC')],
    ],
    action: {
      label: 'Open the request',
      url: dashboardLink(ctx, key.accountId, `settings/rotation-requests/${request.uuid}`),
    },
  };
}
