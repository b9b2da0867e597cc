import { pendingSignInMinutes } from '#lib/contract/people/second-factors.ts';
import type { PendingSignIn, SecondFactorKind } from '#lib/contract/people/second-factors.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import { invalid } from '../../errors.ts';
import type { ServiceError } from '../../errors.ts';
import { digestLinkToken, newLinkToken } from '../link-token.ts';
import { relyingPartyOf } from '../second-factors/relying-party.ts';
import { findPendingSignIn, insertPendingSignIn } from '../store/pending-sign-ins.ts';
import type { PendingSignInRow } from '../store/pending-sign-ins.ts';
import type { FactorCounts } from '../store/second-factors.ts';

/** Remembers that somebody gave the right password, so that their second factor signs them in. */
export async function startPendingSignIn(
  ctx: Context,
  { personId, factors }: { personId: string; factors: FactorCounts },
): Promise<PendingSignIn> {
  const token = newLinkToken();
  const now = ctx.clock.now();
  const expiresAt = new Date(now.getTime() + pendingSignInMinutes * 60_000);
  await insertPendingSignIn(ctx.db, { digest: digestLinkToken(token), personId, expiresAt }, now);
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
  if (!pending) throw endedSignIn();
  return pending;
}

/** One answer for a sign-in that is finished, took too long, or was tried too often. */
export function endedSignIn(): ServiceError {
  return invalid('pending_token', 'This sign-in has ended. Enter your password again.');
}

function kindsOf({ app, passkeys, recoveryCodesLeft }: FactorCounts): SecondFactorKind[] {
  return [
    ...(passkeys > 0 ? (['passkey'] as const) : []),
    ...(app ? (['app'] as const) : []),
    ...(recoveryCodesLeft > 0 ? (['recovery_code'] as const) : []),
  ];
}
