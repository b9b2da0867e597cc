import { formatExact } from '#lib/time.ts';
import { findPasswordWeakness } from '../../../auth/password-weakness.ts';
import type { Context } from '../../../context.ts';
import type { Db, Tx } from '../../../db/open.ts';
import { newReadableCode } from '../../../tokens/readable-code.ts';
import type { Origin } from '../../actor.ts';
import { invalid } from '../../errors.ts';
import { recordInAccounts } from '../record-in-accounts.ts';
import { listMemberships } from '../store/members.ts';
import { replacePassword } from '../store/people.ts';
import { deleteFactors } from '../store/second-factors.ts';

/** @throws ServiceError VALIDATION_ERROR under `field` if the password is easy to guess */
export async function refuseWeakPassword(
  password: string,
  { own, field }: { own: readonly string[]; field: string },
): Promise<void> {
  const weakness = await findPasswordWeakness(password, own);
  if (weakness !== null) throw invalid(field, weakness);
}

/** What someone who knows a person would try first: also the names of their accounts. */
export async function personalWordsOf(
  db: Db,
  { id, email, name }: { id: string; email: string; name: string },
): Promise<string[]> {
  const memberships = await listMemberships(db, id);
  return [email, name, ...memberships.slice(0, maxAccounts).map((one) => one.accountName)];
}

/** The time of an estimate grows with the number of words. */
const maxAccounts = 20;

/**
 * Replaces a person's password without the old one, and ends their sessions, except for one that is
 * kept. The audit log of each of their accounts records it.
 */
export async function resetPassword(
  tx: Tx,
  {
    person,
    passwordHash,
    keptSessionId,
    removesFactors,
    origin,
    now,
  }: {
    person: { id: string; name: string };
    passwordHash: string;
    keptSessionId?: string;
    /** Whether to remove their second factors, because they may be someone else's. */
    removesFactors?: true;
    origin: Origin;
    now: Date;
  },
): Promise<void> {
  const removed = removesFactors && (await deleteFactors(tx, person.id));
  const { endedSessions } = await replacePassword(tx, {
    personId: person.id,
    passwordHash,
    ...(keptSessionId !== undefined && { keptSessionId }),
  });
  await recordInAccounts(tx, {
    person,
    origin,
    action: 'person.password_changed',
    now,
    changes: {
      ended_sessions: endedSessions,
      ...(removed && (removed.app || removed.passkeys > 0) && { removed_second_factors: removed }),
    },
  });
}

/** A random password of 140 bits, to pass on to someone. */
export function newPassword(): string {
  return newReadableCode(7);
}

/** Emails a person that their password was changed. Call it after the commit. */
export function mailPasswordChange(
  ctx: Pick<Context, 'mail' | 'config'>,
  { email, origin, now }: { email: string; origin: Origin; now: Date },
): void {
  ctx.mail.send({
    kind: 'password.changed',
    to: email,
    subject: 'Your password was changed',
    paragraphs: [
      `The password of ${email} was changed. Other sessions were signed out.`,
      'If it was not you, choose a new password now and tell an owner of your account.',
    ],
    facts: [
      ['Time', formatExact(now, 'UTC')],
      ['Address', origin.ip],
    ],
    action: {
      label: 'Choose a new password',
      url: `${ctx.config.publicUrl.origin}/forgot-password`,
    },
  });
}
