import { findPasswordWeakness } from '../../../auth/password-weakness.ts';
import type { Db } from '../../../db/open.ts';
import { invalid } from '../../errors.ts';
import { listMemberships } from '../store/members.ts';

/**
 * @throws ServiceError VALIDATION_ERROR with the reason, under `field`, if the password is easy to
 *   guess
 */
export async function refuseWeakPassword(
  password: string,
  { own, field }: { own: readonly string[]; field: string },
): Promise<void> {
  const weakness = await findPasswordWeakness(password, own);
  if (weakness !== null) throw invalid(field, weakness);
}

/** What somebody who knows a person would try first: also the names of their accounts. */
export async function ownWordsOf(
  db: Db,
  { id, email, name }: { id: string; email: string; name: string },
): Promise<string[]> {
  const memberships = await listMemberships(db, id);
  return [email, name, ...memberships.slice(0, maxAccounts).map((one) => one.accountName)];
}

/** The time of an estimate grows with the number of words. */
const maxAccounts = 20;
