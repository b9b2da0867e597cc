import { pendingSignInMinutes } from '#lib/contract/people/second-factors.ts';
import type { PendingSignIn, SecondFactorKind } from '#lib/contract/people/second-factors.ts';
import { minuteMs } from '#lib/durations.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { PersonCredential } from '../../../db/stored-credential.ts';
import type { PasskeyPurpose } from '../../../db/schema/people/second-factors.ts';
import { invalid } from '../../errors.ts';
import type { ServiceError } from '../../errors.ts';
import { digestLinkToken, newLinkToken } from '../links.ts';
import { relyingPartyOf } from '../second-factors/passkeys/webauthn.ts';
import { lockPasswordHash } from '../store/people.ts';
import { findPendingSignIn, insertPendingSignIn } from '../store/pending-sign-ins.ts';
import type { PendingSignInRow } from '../store/pending-sign-ins.ts';
import type { FactorCounts } from '../store/second-factors.ts';

/**
 * Stores that someone gave the right password, so that their second factor can sign them in. Null
 * if the password was replaced in the meantime: replacing a password ends all pending sign-ins, and
 * must not miss this one.
 */
export async function startPendingSignIn(
  ctx: Context,
  { credential, factors }: { credential: PersonCredential; factors: FactorCounts },
): Promise<PendingSignIn | null> {
  const { personId, passwordHash } = credential;
  const token = newLinkToken();
  const now = ctx.clock.now();
  const expiresAt = new Date(now.getTime() + pendingSignInMinutes * minuteMs);
  const isStillRight = await ctx.db.transaction(async (tx) => {
    if ((await lockPasswordHash(tx, personId)) !== passwordHash) return false;
    await insertPendingSignIn(tx, { digest: digestLinkToken(token), personId, expiresAt }, now);
    return true;
  });
  if (!isStillRight) return null;
  return {
    pending_token: token,
    kinds: kindsOf(factors),
    passkey_host: relyingPartyOf(ctx.config)?.host ?? null,
    expires_at: formatApiTime(expiresAt),
  };
}

/** @throws ServiceError VALIDATION_ERROR with `details.pending_token` */
export async function readPendingSignIn(ctx: Context, token: string): Promise<PendingSignInRow> {
  const now = ctx.clock.now();
  const pending = await findPendingSignIn(ctx.db, { digest: digestLinkToken(token), now });
  if (!pending) throw endedSignInError();
  return pending;
}

/** What a passkey signs to finish a pending sign-in. */
export function purposeOfSignIn(digest: Buffer): PasskeyPurpose {
  return `sign_in:${digest.toString('hex')}`;
}

/** The same error for a sign-in that is finished, took too long, or was tried too often. */
export function endedSignInError(): ServiceError {
  return invalid('pending_token', 'This sign-in has ended. Enter your password again.');
}

function kindsOf({ app, passkeys, recoveryCodesLeft }: FactorCounts): SecondFactorKind[] {
  return [
    ...(passkeys > 0 ? (['passkey'] as const) : []),
    ...(app ? (['app'] as const) : []),
    ...(recoveryCodesLeft > 0 ? (['recovery_code'] as const) : []),
  ];
}
