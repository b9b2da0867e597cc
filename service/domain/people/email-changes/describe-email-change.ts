import type { EmailChange } from '#lib/contract/people/email-changes.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Db, Tx } from '../../../db/open.ts';
import { findPendingEmailChange, findRevocableEmailChange } from '../store/email-changes.ts';

/** What a person sees of a change of their email: never a link. */
export async function describeEmailChange(
  db: Db | Tx,
  options: { personId: string; now: Date },
): Promise<EmailChange> {
  const pending = await findPendingEmailChange(db, options);
  const done = await findRevocableEmailChange(db, options);
  return {
    pending: pending && {
      email: pending.newEmail,
      expires_at: formatApiTime(pending.confirmableUntil),
      is_mailed: pending.isMailed,
    },
    fixed_until: done && formatApiTime(done.revocableUntil),
  };
}
