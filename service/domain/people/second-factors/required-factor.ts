import type { Tx } from '../../../db/open.ts';
import { invalid } from '../../errors.ts';
import { quoteName } from '../../quote-name.ts';
import { listMemberships } from '../store/members.ts';
import type { Membership } from '../store/members.ts';
import { isFactorIn } from './has-factor.ts';

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
