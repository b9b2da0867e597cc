import { createHash } from 'node:crypto';
import { recoveryCodeCount } from '#lib/contract/people/second-factors.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/open.ts';
import { newReadableCode } from '../../../tokens/readable-code.ts';
import type { PersonActor } from '../../actor.ts';
import { invalid } from '../../errors.ts';
import { recordInAccounts } from '../record-in-accounts.ts';
import { confirmSession, currentSessionId } from '../sessions/find-session.ts';
import { lockFactors, replaceRecoveryCodes } from '../store/second-factors.ts';
import { mailFactorChange } from './mail-factor-change.ts';
import { hasFactor } from './required-factor.ts';

/**
 * Gives the person new recovery codes, which replace all earlier ones.
 *
 * @throws ServiceError VALIDATION_ERROR with `details.recovery_codes` if they have no second factor;
 *   UNAUTHORIZED if the session of the call ended in the meantime
 */
export async function createRecoveryCodes(
  ctx: Context,
  actor: PersonActor,
  sessionToken: string,
): Promise<string[]> {
  const { personId, personName, email, origin } = actor;
  const sessionId = await currentSessionId(ctx, sessionToken);
  const codes = await ctx.db.transaction(async (tx) => {
    await lockFactors(tx, personId);
    await confirmSession(tx, { personId, sessionId });
    const now = ctx.clock.now();
    if (!(await hasFactor(tx, personId))) {
      throw invalid('recovery_codes', 'Add a passkey or an authenticator app first.');
    }
    await recordInAccounts(tx, {
      person: { id: personId, name: personName },
      origin,
      action: 'person.recovery_codes_created',
      now,
    });
    return await giveRecoveryCodes(tx, personId, now);
  });
  mailFactorChange(ctx, {
    email,
    subject: 'New recovery codes were created',
    what: 'The recovery codes you had no longer work.',
  });
  return codes;
}

/** Replaces all recovery codes of a person with new ones, which are stored as digests. */
export async function giveRecoveryCodes(tx: Tx, personId: string, now: Date): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode);
  await replaceRecoveryCodes(tx, { personId, digests: codes.map(digestRecoveryCode), now });
  return codes;
}

/** 120 random bits. */
export function newRecoveryCode(): string {
  return newReadableCode(6);
}

/** A digest of the letters and digits only: grouping and case do not matter. */
export function digestRecoveryCode(code: string): Buffer {
  const plain = code.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return createHash('sha256').update(`recovery-code:${plain}`).digest();
}
