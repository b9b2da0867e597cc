import { operator } from '../members/operator/operator.ts';
import type { OperatorContext } from '../members/operator/operator.ts';
import { recordInAccounts } from '../record-in-accounts.ts';
import { findPersonByEmail } from '../store/people.ts';
import { deleteFactors, lockFactors } from '../store/second-factors.ts';
import type { FactorCounts } from '../store/second-factors.ts';
import { deletePendingSignIns } from '../store/pending-sign-ins.ts';
import { deleteSessions } from '../store/sessions.ts';

/**
 * Removes all second factors of a person who lost them, and ends their sessions. The password
 * stays. Null if nobody has this email.
 */
export async function resetFactors(
  ctx: OperatorContext,
  email: string,
): Promise<(Pick<FactorCounts, 'app' | 'passkeys'> & { endedSessions: number }) | null> {
  return await ctx.db.transaction(async (tx) => {
    const person = await findPersonByEmail(tx, email);
    if (!person) return null;
    await lockFactors(tx, person.id);
    const removed = await deleteFactors(tx, person.id);
    await deletePendingSignIns(tx, person.id);
    const endedSessions = await deleteSessions(tx, { personId: person.id });
    await recordInAccounts(tx, {
      person,
      by: operator,
      origin: null,
      action: 'person.second_factors_reset',
      now: ctx.clock.now(),
      changes: { ...removed, ended_sessions: endedSessions },
    });
    return { ...removed, endedSessions };
  });
}
