import type { Tx } from '../../../db/open.ts';
import { addPerson } from '../add-person.ts';
import { newPassword } from '../passwords/new-password.ts';
import { recordInAccounts } from '../record-in-accounts.ts';
import { deleteEmailChanges } from '../store/email-changes.ts';
import { markVerified, replacePassword } from '../store/people.ts';
import type { PersonRow } from '../store/people.ts';
import { deleteFactors } from '../store/second-factors.ts';
import { mailAccessReset } from './operator/mail-operator-reset.ts';
import { nameFromEmail } from './name-from-email.ts';
import { operator } from './operator/operator.ts';
import type { OperatorContext } from './operator/operator.ts';

/**
 * With what somebody signs in whom an operator gave a place.
 *
 * - `kept`: the password they have.
 * - `new`: they are new; `password` is the only copy.
 * - `replaced`: nobody had verified that the address is theirs, so whatever let somebody in as them
 *   is gone; `password` is the only copy.
 */
export type Access =
  | { kind: 'kept' }
  | { kind: 'new'; password: string }
  | { kind: 'replaced'; password: string };

export type NewPassword = { password: string; passwordHash: string };

/** A password for somebody who may need one, hashed before the transaction. */
export async function preparePassword(ctx: OperatorContext): Promise<NewPassword> {
  const password = newPassword();
  return { password, passwordHash: await ctx.auth.hashPassword(password) };
}

/**
 * Makes the person whom an operator names by an email address, unless there is one. The operator
 * vouches that the address is theirs. Somebody unverified may be somebody else, who took the address
 * by a link that was not emailed: their password is replaced, which ends their sessions, their second
 * factors are removed, and no link can undo a change of their email any more.
 *
 * @param about.known whoever has the email, locked; null if nobody has
 * @throws ServiceError VALIDATION_ERROR with `details.email` if somebody can still take the address back
 */
export async function admitPerson(
  tx: Tx,
  about: { known: PersonRow | null; email: string; now: Date } & NewPassword,
): Promise<{ person: { id: string; name: string; email: string }; access: Access }> {
  const { known, email, password, passwordHash, now } = about;
  if (!known) {
    const person = { id: crypto.randomUUID(), name: nameFromEmail(email), email };
    await addPerson(tx, { ...person, passwordHash, now });
    return { person, access: { kind: 'new', password } };
  }
  if (!known.isUnverified) return { person: known, access: { kind: 'kept' } };

  const personId = known.id;
  const removed = await deleteFactors(tx, personId);
  const { endedSessions } = await replacePassword(tx, { personId, passwordHash, now });
  await deleteEmailChanges(tx, personId);
  await markVerified(tx, personId);
  await recordInAccounts(tx, {
    person: known,
    by: operator,
    origin: null,
    action: 'person.access_reset',
    now,
    changes: { ...removed, ended_sessions: endedSessions },
  });
  return { person: known, access: { kind: 'replaced', password } };
}

/** Tells somebody whose password was replaced. To be called after the commit. */
export function mailAdmitted(
  ctx: OperatorContext,
  { email, access }: { email: string; access: Access },
): void {
  if (access.kind === 'replaced') mailAccessReset(ctx, { email, isVerified: true });
}
