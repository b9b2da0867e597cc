import type { z } from 'zod';
import type { givenFactor, SecondFactorKind } from '#lib/contract/people/second-factors.ts';
import type { Context } from '../../../context.ts';
import type { PasskeyPurpose } from '../../../db/schema/people/second-factors.ts';
import type { LimitUse } from '../../../limiter/limiter.ts';
import { invalid } from '../../errors.ts';
import type { ServiceError } from '../../errors.ts';
import { refuseOverLimit } from '../../refuse-over-limit.ts';
import { takeChallenge } from '../store/pending-sign-ins.ts';
import {
  findApp,
  listPasskeyRows,
  lockFactors,
  updateApp,
  updatePasskey,
  consumeRecoveryCode,
} from '../store/second-factors.ts';
import { acceptedStep } from './authenticator-app.ts';
import { relyingPartyOf, verifyPasskey } from './passkeys/webauthn.ts';
import { digestRecoveryCode } from './recovery-codes.ts';

/** A second factor as the person gave it: exactly one of the three. */
export type GivenFactor = {
  [Kind in keyof typeof givenFactor]?: z.output<(typeof givenFactor)[Kind]>;
};

/**
 * Checks a second factor of a person and uses it up: each code and each signature counts once.
 * Wrong codes are limited; passkeys are not, because they cannot be guessed.
 *
 * @param options.limitKey the bucket in which wrong codes are counted
 * @param options.purpose what a passkey signed
 * @param options.onWrong called before the error for a factor that is wrong
 * @throws ServiceError VALIDATION_ERROR with `details.code`, `details.recovery_code` or
 *   `details.passkey`; RATE_LIMIT_EXCEEDED
 */
export async function consumeFactor(
  ctx: Context,
  {
    personId,
    given,
    limitKey,
    purpose,
    onWrong,
  }: {
    personId: string;
    given: GivenFactor;
    limitKey: string;
    purpose: PasskeyPurpose;
    onWrong: () => Promise<void>;
  },
): Promise<SecondFactorKind> {
  if (Object.values(given).filter((value) => value !== undefined).length !== 1) {
    throw missingFactorError();
  }
  const isGuessable = given.passkey === undefined;
  const uses: LimitUse[] = [{ limit: 'second-factor', key: limitKey }];
  if (isGuessable) await refuseOverLimit(ctx, uses);
  const kind = kindOf(given);
  if (!(await take(ctx, { personId, given, purpose }))) {
    await onWrong();
    throw wrongFactorErrors[kind]();
  }
  if (isGuessable) await ctx.limiter.giveBack(uses);
  return kind;
}

export function missingFactorError(): ServiceError {
  return invalid('code', 'Enter the 6-digit code of your authenticator app.');
}

function kindOf({ code, recovery_code: recoveryCode }: GivenFactor): SecondFactorKind {
  if (code !== undefined) return 'app';
  return recoveryCode === undefined ? 'passkey' : 'recovery_code';
}

const wrongFactorErrors: Readonly<Record<SecondFactorKind, () => ServiceError>> = {
  app: () => invalid('code', 'This code is wrong or was already used. Wait for the next one.'),
  recovery_code: () => invalid('recovery_code', 'This is not one of your unused recovery codes.'),
  passkey: () =>
    invalid('passkey', 'This passkey was not accepted. Try again, or use another factor.'),
};

type Attempt = { personId: string; given: GivenFactor; purpose: PasskeyPurpose };

async function take(ctx: Context, { personId, given, purpose }: Attempt): Promise<boolean> {
  const { code, recovery_code: recoveryCode, passkey } = given;
  if (code !== undefined) return await takeCode(ctx, personId, code);
  if (recoveryCode !== undefined) return await takeRecoveryCode(ctx, personId, recoveryCode);
  return passkey !== undefined && (await takePasskey(ctx, { personId, given: passkey, purpose }));
}

async function takeCode(ctx: Context, personId: string, code: string): Promise<boolean> {
  return await ctx.db.transaction(async (tx) => {
    await lockFactors(tx, personId);
    const app = await findApp(tx, personId);
    if (!app?.confirmedAt) return false;
    const now = ctx.clock.now();
    const step = acceptedStep(ctx, { app, code, now });
    if (step === null) return false;
    await updateApp(tx, personId, { lastStep: step, lastUsedAt: now });
    return true;
  });
}

async function takeRecoveryCode(ctx: Context, personId: string, code: string): Promise<boolean> {
  const digest = digestRecoveryCode(code);
  return await ctx.db.transaction((tx) =>
    consumeRecoveryCode(tx, { personId, digest, now: ctx.clock.now() }),
  );
}

async function takePasskey(
  ctx: Context,
  {
    personId,
    given,
    purpose,
  }: Omit<Attempt, 'given'> & { given: NonNullable<GivenFactor['passkey']> },
): Promise<boolean> {
  const relyingParty = relyingPartyOf(ctx.config);
  const passkeys = await listPasskeyRows(ctx.db, personId);
  const passkey = passkeys.find(({ credentialId }) => credentialId === given.id);
  if (!relyingParty || !passkey) return false;
  const verified = await verifyPasskey(relyingParty, { given, passkey });
  if (!verified) return false;
  const { counter, isSynced, challengeDigest: digest } = verified;
  return await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    if (!(await takeChallenge(tx, { digest, personId, purpose, now }))) return false;
    const used = await updatePasskey(tx, passkey, { counter, isSynced, lastUsedAt: now });
    return used !== null;
  });
}
