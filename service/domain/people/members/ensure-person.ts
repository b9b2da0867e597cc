import type { Tx } from '../../../db/open.ts';
import { addPerson } from '../add-person.ts';
import { newPassword } from '../passwords/set-password.ts';
import { recordInAccounts } from '../record-in-accounts.ts';
import { deleteEmailChanges } from '../store/email-changes.ts';
import { markVerified, replacePassword } from '../store/people.ts';
import type { PersonRow } from '../store/people.ts';
import { deleteFactors } from '../store/second-factors.ts';
import { mailAccessReset } from './operator/reset-access.ts';
import { nameFromEmail } from './rules.ts';
import { operator } from './operator/operator.ts';
import type { OperatorContext } from './operator/operator.ts';

/**
 * How a person whom an operator gave a place can sign in.
 *
 * - `kept`: with the password they have.
 * - `new`: they are new; `password` is the only copy.
 * - `replaced`: they were unverified, so everything that allowed someone to sign in as them was
 *   removed; `password` is the only copy.
 */
export type Access =
  | { kind: 'kept' }
  | { kind: 'new'; password: string }
  | { kind: 'replaced'; password: string };

type NewPassword = { password: string; passwordHash: string };

/** A password for a person who may need one, hashed before the transaction begins. */
export async function preparePassword(ctx: OperatorContext): Promise<NewPassword> {
  const password = newPassword();
  return { password, passwordHash: await ctx.auth.hashPassword(password) };
}

/**
 * Adds the person whom an operator names by an email address, unless they exist. The operator
 * vouches that the address is theirs. An unverified person may be someone else who took the
 * address with a link that was not emailed: their password is replaced, which ends their sessions,
 * their second factors are removed, and no link can undo a change of their email any longer.
 *
 * @param options.known the person with this email, locked; null if there is none
 * @throws ServiceError VALIDATION_ERROR with `details.email` if the address is a previous one of
 *   someone who can still undo that change
 */
export async function ensurePerson(
  tx: Tx,
  {
    known,
    email,
    now,
    password,
    passwordHash,
  }: { known: PersonRow | null; email: string; now: Date } & NewPassword,
): Promise<{ person: { id: string; name: string; email: string }; access: Access }> {
  if (!known) {
    const person = { id: crypto.randomUUID(), name: nameFromEmail(email), email };
    await addPerson(tx, { ...person, passwordHash, now });
    return { person, access: { kind: 'new', password } };
  }
  if (!known.isUnverified) return { person: known, access: { kind: 'kept' } };

  const personId = known.id;
  const removed = await deleteFactors(tx, personId);
  const { endedSessions } = await replacePassword(tx, { personId, passwordHash });
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

/** Emails a person whose password was replaced. Call it after the commit. */
export function mailReplacedPassword(
  ctx: OperatorContext,
  { email, access }: { email: string; access: Access },
): void {
  if (access.kind === 'replaced') mailAccessReset(ctx, { email, isVerified: true });
}
