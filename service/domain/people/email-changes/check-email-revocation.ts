import type { Context } from '../../../context.ts';
import type { Origin } from '../../actor.ts';
import { limitLinks } from '../limit-links.ts';
import { digestLinkToken } from '../link-token.ts';
import { findEmailChangeToRevoke } from '../store/email-changes.ts';
import type { EmailChangeRow } from '../store/email-changes.ts';
import { findPersonById } from '../store/people.ts';
import { invalidRevocationError } from './rules.ts';

/**
 * The change of email that a link undoes, and whether the change was confirmed. Does not use the
 * link up.
 *
 * @throws ServiceError VALIDATION_ERROR with `details.revoke_token`; RATE_LIMIT_EXCEEDED
 */
export async function checkEmailRevocation(
  ctx: Context,
  { token, origin }: { token: string; origin: Origin },
): Promise<{ change: EmailChangeRow; isChanged: boolean }> {
  await limitLinks(ctx, origin);
  const link = { digest: digestLinkToken(token), now: ctx.clock.now() };
  const change = await findEmailChangeToRevoke(ctx.db, link);
  const person = change && (await findPersonById(ctx.db, change.personId));
  if (!person) throw invalidRevocationError();
  return { change, isChanged: person.email !== change.oldEmail };
}
