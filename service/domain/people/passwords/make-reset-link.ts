import { passwordResetMinutes } from '#lib/contract/people/password-resets.ts';
import { minuteMs } from '#lib/durations.ts';
import type { Db, Tx } from '../../../db/open.ts';
import { digestLinkToken, newLinkToken } from '../link-token.ts';
import { replacePasswordReset } from '../store/password-resets.ts';

/** Makes the token of a link to choose a new password, which replaces the previous link. */
export async function makeResetLink(
  db: Db | Tx,
  { email, now }: { email: string; now: Date },
): Promise<{ token: string; expiresAt: Date }> {
  const token = newLinkToken();
  const expiresAt = new Date(now.getTime() + passwordResetMinutes * minuteMs);
  const digest = digestLinkToken(token);
  await replacePasswordReset(db, { email, digest, createdAt: now, expiresAt });
  return { token, expiresAt };
}
