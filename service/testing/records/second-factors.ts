import { Secret, TOTP } from 'otpauth';
import type { Context } from '../../context.ts';
import {
  authenticatorApps,
  passkeys,
  recoveryCodes,
} from '../../db/schema/people/second-factors.ts';
import { newAppSecret } from '../../domain/people/second-factors/app/authenticator-app.ts';
import {
  digestRecoveryCode,
  newRecoveryCode,
} from '../../domain/people/second-factors/recovery-codes.ts';

/** An authenticator app in use. `code` returns the code that it shows now. */
export type TestApp = { code: () => string };

export async function addApp(
  ctx: Context,
  { personId, email }: { personId: string; email: string },
): Promise<TestApp> {
  const { key, row } = newAppSecret(ctx, { personId, email });
  const now = ctx.clock.now();
  await ctx.db.insert(authenticatorApps).values({ ...row, createdAt: now, confirmedAt: now });
  return { code: () => codeOf(key, ctx.clock.now()) };
}

/** The code that an app with this key shows. */
export function codeOf(key: string, now: Date): string {
  return new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: now.getTime() });
}

/** Adds a passkey that no device has; returns its UUID. */
export async function addPasskey(ctx: Context, personId: string): Promise<string> {
  const uuid = crypto.randomUUID();
  await ctx.db.insert(passkeys).values({
    uuid,
    personId,
    name: 'Laptop',
    credentialId: uuid,
    publicKey: Buffer.alloc(77),
    counter: 0,
    transports: ['internal'],
    isSynced: false,
    createdAt: ctx.clock.now(),
  });
  return uuid;
}

/** Adds an unused recovery code. */
export async function addRecoveryCode(ctx: Context, personId: string): Promise<string> {
  const code = newRecoveryCode();
  const createdAt = ctx.clock.now();
  await ctx.db
    .insert(recoveryCodes)
    .values({ digest: digestRecoveryCode(code), personId, createdAt });
  return code;
}
