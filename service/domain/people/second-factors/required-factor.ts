import type { Db, Tx } from '../../../db/open.ts';
import { invalid } from '../../errors.ts';
import { quoteName } from '../../quote-name.ts';
import { listMemberships, type Membership } from '../store/members.ts';
import { countFactors, type FactorCounts } from '../store/second-factors.ts';

/** Whether the account requires a second factor now, and the member has none. */
export function lacksRequiredFactor(
  member: Pick<Membership, 'secondFactorRequiredFrom' | 'app' | 'passkeys'>,
  now: Date,
): boolean {
  return isRequired(member.secondFactorRequiredFrom, now) && !isFactorIn(member);
}

/** @throws ServiceError VALIDATION_ERROR if an account of the person requires a second factor now */
export async function refuseIfRequired(
  tx: Tx,
  { personId, field, now }: { personId: string; field: string; now: Date },
): Promise<void> {
  const memberships = await listMemberships(tx, personId);
  const requiring = memberships.find((each) => isRequired(each.secondFactorRequiredFrom, now));
  if (!requiring) return;
  const account = quoteName(requiring.accountName);
  throw invalid(
    field,
    `The account ${account} requires a second factor. Add another one before you remove this one.`,
  );
}

function isRequired(from: Date | null, now: Date): boolean {
  return from !== null && from <= now;
}

/** Whether a person has a second factor in use. Recovery codes alone do not count. */
export function isFactorIn({ app, passkeys }: Pick<FactorCounts, 'app' | 'passkeys'>): boolean {
  return app || passkeys > 0;
}

/** The same for a person whose factors have not been read yet. */
export async function hasFactor(db: Db | Tx, personId: string): Promise<boolean> {
  return isFactorIn(await countFactors(db, personId));
}
