import { rotationReasonTable } from '#lib/contract/api-keys/rotation-reasons.ts';
import { formatExact } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import { dashboardLink } from '../dashboard-link.ts';
import { plainName, quoteName, quoteShortName } from '../quote-name.ts';
import type { RotationRequestRecord } from './store.ts';

/**
 * Tells the named member, after the commit. The asker's note stays in the dashboard: people may
 * paste secrets into it.
 */
export function mailRequest(
  ctx: Pick<Context, 'mail' | 'config'>,
  {
    request,
    key,
    requestedBy,
    member,
  }: {
    request: Pick<RotationRequestRecord['request'], 'reason' | 'expiresAt'>;
    key: Pick<RotationRequestRecord['key'], 'id' | 'accountId' | 'name'>;
    requestedBy: { name: string };
    member: { name: string; email: string };
  },
): void {
  ctx.mail.send({
    kind: 'rotation_request.created',
    to: member.email,
    name: plainName(member.name),
    subject: `Please rotate the API key ${quoteShortName(key.name)}`,
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
      label: 'Open the key',
      url: dashboardLink(ctx, key.accountId, `settings/api-keys/${key.id}`),
    },
  });
}
