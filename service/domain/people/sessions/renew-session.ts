import type { SessionCookie } from '../../../auth/auth.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/open.ts';
import { areEqualInConstantTime } from '../../../secrets/are-equal-in-constant-time.ts';
import { ServiceError } from '../../errors.ts';
import { lockSession, updateSession } from '../store/sessions.ts';

/** How long a replaced token can still read, for other tabs and requests in progress. */
const replacedTokenReadsMs = 30_000;

/**
 * Gives a session a new token, in the transaction that records a proof or a new password of its
 * person: anyone who stole the old token gains nothing from it (OWASP ASVS 5.0, 7.2.4). The old
 * token can still read for 30 seconds, and then becomes invalid.
 *
 * If the call itself uses a token that was just replaced, nothing is replaced and the present token
 * is returned: the response with it was lost, or another tab gave the password at the same moment
 * and its response is still on the way.
 *
 * @throws ServiceError UNAUTHORIZED if the session ended, or its token was replaced twice since
 */
export async function renewSession(
  ctx: Pick<Context, 'auth'>,
  tx: Tx,
  {
    personId,
    sessionId,
    sessionToken,
    provedAt,
    now,
  }: {
    personId: string;
    sessionId: string;
    sessionToken: string;
    /** When the person proved who they are; null if this call does not count as a proof. */
    provedAt: Date | null;
    now: Date;
  },
): Promise<SessionCookie> {
  const proof = provedAt && ({ provedAt, wrongProofs: 0 } as const);
  const stored = await lockSession(tx, { personId, sessionId });
  if (!stored) throw new ServiceError('UNAUTHORIZED');
  const { auth } = ctx;
  const renewed = auth.successorOf({ sessionToken, createdAt: stored.createdAt });
  const digest = auth.digestOf(renewed.sessionToken);
  if (areEqualInConstantTime(stored.digest, auth.digestOf(sessionToken))) {
    const previousValidUntil = new Date(now.getTime() + replacedTokenReadsMs);
    await updateSession(tx, { personId, sessionId }, { digest, previousValidUntil, ...proof });
    return renewed;
  }
  if (!areEqualInConstantTime(stored.digest, digest)) throw new ServiceError('UNAUTHORIZED');
  if (proof) await updateSession(tx, { personId, sessionId }, proof);
  return renewed;
}
