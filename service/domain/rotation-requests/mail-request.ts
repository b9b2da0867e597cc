import { rotationReasonTable } from '#lib/contract/api-keys/rotation-reasons.ts';
import { formatExact } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import { dashboardLink } from '../dashboard-link.ts';
import { quoteName } from '../quote-name.ts';
import type { RotationRequestRecord } from './store.ts';

/**
 * Tells the named member, after the commit. The asker's note stays in the dashboard: people may
 * paste secrets into it.
 */
export function mailRequest(
  ctx: Pick<Context, 'mail' | 'config'>,
  { request, key, requestedBy, member }: RotationRequestRecord,
): void {
  ctx.mail.send({
    to: member.email,
    subject: `Please rotate the API key ${quoteName(key.name)}`,
    text: [
      `${quoteName(requestedBy.name)} asks you to rotate the API key ${quoteName(key.name)}.`,
      `${rotationReasonTable[request.reason]}.`,
      `The request stands until ${formatExact(request.expiresAt, 'UTC')}. Nothing happens to the key until you rotate it.`,
      dashboardLink(ctx, key.accountId, `settings/api-keys/${key.id}`),
    ].join('\n\n'),
  });
}
