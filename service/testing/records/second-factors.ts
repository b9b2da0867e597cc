import { Secret, TOTP } from 'otpauth';
import type { Context } from '../../context.ts';
import {
  authenticatorApps,
  passkeys,
  recoveryCodes,
} from '../../db/schema/people/second-factors.ts';
import { newAppSecret } from '../../domain/people/second-factors/authenticator-app.ts';
import {
  digestRecoveryCode,
  newRecoveryCode,
} from '../../domain/people/second-factors/recovery-codes.ts';

/** An authenticator app. `code` returns the code that it shows now. */
export type TestApp = { code: () => string };

type AppOwner = { personId: string; email: string };

/** Adds an authenticator app that is in use, in place of any other. */
export async function addApp(ctx: Context, owner: AppOwner): Promise<TestApp> {
  return await insertApp(ctx, owner, { confirmedAt: ctx.clock.now() });
}

/** Adds an authenticator app that its owner has not confirmed yet, in place of any other. */
export async function addUnconfirmedApp(ctx: Context, owner: AppOwner): Promise<TestApp> {
  return await insertApp(ctx, owner, { confirmedAt: null });
}

async function insertApp(
  ctx: Context,
  owner: AppOwner,
  state: { confirmedAt: Date | null },
): Promise<TestApp> {
  const { key, row } = newAppSecret(ctx, owner);
  const app = { ...row, ...state, createdAt: ctx.clock.now() };
  await ctx.db
    .insert(authenticatorApps)
    .values(app)
    .onConflictDoUpdate({ target: authenticatorApps.personId, set: app });
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
