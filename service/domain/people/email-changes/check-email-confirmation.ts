import type { Context } from '../../../context.ts';
import type { Origin } from '../../actor.ts';
import { limitLinks } from '../limit-links.ts';
import { digestLinkToken } from '../link-token.ts';
import { findEmailChangeToConfirm } from '../store/email-changes.ts';
import { findPersonById } from '../store/people.ts';
import { invalidConfirmationError } from './rules.ts';

/**
 * The new address that a link confirms, and until when. Does not use the link up.
 *
 * @throws ServiceError VALIDATION_ERROR with `details.confirm_token`; RATE_LIMIT_EXCEEDED
 */
export async function checkEmailConfirmation(
  ctx: Context,
  { token, origin }: { token: string; origin: Origin },
): Promise<{ email: string; name: string; expiresAt: Date }> {
  await limitLinks(ctx, origin);
  const link = { digest: digestLinkToken(token), now: ctx.clock.now() };
  const change = await findEmailChangeToConfirm(ctx.db, link);
  const person = change && (await findPersonById(ctx.db, change.personId));
  if (!person) throw invalidConfirmationError();
  return { email: change.newEmail, name: person.name, expiresAt: change.confirmableUntil };
}
