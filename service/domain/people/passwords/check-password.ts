import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/open.ts';
import type { PersonActor } from '../../actor.ts';
import { invalid } from '../../errors.ts';
import { refuseOverLimit } from '../../refuse-over-limit.ts';
import { findPasswordHash, lockPasswordHash } from '../store/people.ts';

/** A password found right. `confirm` says, in the transaction that writes, that it still is. */
export type CheckedPassword = { confirm: (tx: Tx) => Promise<void> };

/**
 * Whether a signed-in person gives their own password, before a transaction: the work takes some
 * 50 ms. Attempts are counted by person, ten a minute and right ones too, so that whoever finds a
 * session open cannot try passwords out.
 *
 * @param about.field what `details` calls the password
 * @throws ServiceError RATE_LIMIT_EXCEEDED; VALIDATION_ERROR with `details` for the field
 */
export async function checkPassword(
  ctx: Context,
  actor: PersonActor,
  about: { password: string; field: string },
): Promise<CheckedPassword> {
  const { password, field } = about;
  const wrong = () => invalid(field, 'This is not your password.');
  await refuseOverLimit(ctx, [{ limit: 'proof', key: actor.personId }]);
  const hash = await findPasswordHash(ctx.db, actor.personId);
  if (hash === null || !(await ctx.auth.verifyPassword({ hash, password }))) throw wrong();
  return {
    async confirm(tx) {
      if ((await lockPasswordHash(tx, actor.personId)) !== hash) throw wrong();
    },
  };
}
