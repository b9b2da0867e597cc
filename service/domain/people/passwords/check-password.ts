import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/open.ts';
import type { PersonActor } from '../../actor.ts';
import { invalid } from '../../errors.ts';
import { refuseOverLimit } from '../../refuse-over-limit.ts';
import { findPasswordHash, lockPasswordHash } from '../store/people.ts';

/** A checked password. `confirm` tells, in the writing transaction, whether it is still valid. */
export type CheckedPassword = { confirm: (tx: Tx) => Promise<void> };

type GivenPassword = {
  password: string;
  /** The name of the password in `details`. */
  field: string;
  onWrong: () => Promise<void>;
};

/**
 * Checks a signed-in person's own password, before a transaction begins, because hashing takes
 * long. Each person has ten attempts a minute, and right ones count too, so that the person who
 * finds an open session cannot guess passwords.
 *
 * @throws ServiceError RATE_LIMIT_EXCEEDED; VALIDATION_ERROR with `details` for the field
 */
export async function checkPassword(
  ctx: Context,
  actor: PersonActor,
  given: GivenPassword,
): Promise<CheckedPassword> {
  const checked = await matchPassword(ctx, actor, given);
  if (checked === null) throw invalid(given.field, wrongPassword);
  return checked;
}

export const wrongPassword = 'This is not your password.';

/**
 * The same, for a caller that has more to report: null if the password is wrong.
 *
 * @throws ServiceError RATE_LIMIT_EXCEEDED
 */
export async function matchPassword(
  ctx: Context,
  actor: PersonActor,
  { password, field, onWrong }: GivenPassword,
): Promise<CheckedPassword | null> {
  await refuseOverLimit(ctx, [{ limit: 'proof', key: actor.personId }]);
  const hash = await findPasswordHash(ctx.db, actor.personId);
  if (hash === null || !(await ctx.auth.verifyPassword({ hash, password }))) {
    await onWrong();
    return null;
  }
  return {
    async confirm(tx) {
      if ((await lockPasswordHash(tx, actor.personId)) !== hash)
        throw invalid(field, wrongPassword);
    },
  };
}
