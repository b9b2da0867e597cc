import type { Context } from '../../../context.ts';
import type { Origin } from '../../actor.ts';
import { invalid } from '../../errors.ts';
import type { ServiceError } from '../../errors.ts';
import { limitLinks } from '../limit-links.ts';
import { digestLinkToken } from '../link-token.ts';
import { findPasswordReset } from '../store/password-resets.ts';
import { findPersonByEmail } from '../store/people.ts';
import type { PersonRow } from '../store/people.ts';

/**
 * The person whose password a link resets, and until when. Does not use the link up.
 *
 * @throws ServiceError VALIDATION_ERROR with `details.reset_token`; RATE_LIMIT_EXCEEDED
 */
export async function findOpenPasswordReset(
  ctx: Pick<Context, 'db' | 'clock' | 'limiter'>,
  { token, origin }: { token: string; origin: Origin },
): Promise<{ person: PersonRow; expiresAt: Date }> {
  await limitLinks(ctx, origin);
  const reset = await findPasswordReset(ctx.db, digestLinkToken(token));
  if (!reset || reset.expiresAt <= ctx.clock.now()) throw invalidResetError();
  const person = await findPersonByEmail(ctx.db, reset.email);
  if (!person) throw invalidResetError();
  return { person, expiresAt: reset.expiresAt };
}

/** The same error for a wrong, used, replaced and expired token. */
export function invalidResetError(): ServiceError {
  return invalid('reset_token', 'This link is no longer valid. Ask for a new one.');
}
