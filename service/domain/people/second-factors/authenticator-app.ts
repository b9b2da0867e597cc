import { Secret, TOTP } from 'otpauth';
import type { Context } from '../../../context.ts';
import { reencryptInBatches } from '../../in-batches.ts';
import { lockAppSecrets, updateApp, type AuthenticatorAppRow } from '../store/second-factors.ts';

/** The name that apps show beside the code. */
export const issuer = 'Conversation Service';

const periodSeconds = 30;
/** Codes of the previous and next step count too: clocks differ, and typing takes time. */
const toleratedSteps = 1;

type AppSecret = Pick<AuthenticatorAppRow, 'personId' | 'uuid' | 'sealedSecret'>;
type SealedFor = Pick<AuthenticatorAppRow, 'personId' | 'uuid'>;

/** A new secret of 160 bits (RFC 4226, 4): as text for an app, and encrypted for the database. */
export function newAppSecret(
  { cipher }: Pick<Context, 'cipher'>,
  { personId, email }: { personId: string; email: string },
): { key: string; uri: string; row: AppSecret } {
  const secret = new Secret({ size: 20 });
  const uuid = crypto.randomUUID();
  const sealedSecret = sealAppSecret({ cipher }, secret.base32, { personId, uuid });
  const uri = totpOf(secret, email).toString();
  return { key: secret.base32, uri, row: { personId, uuid, sealedSecret } };
}

/**
 * The time step of a code (RFC 6238); null if it is not a code of this app for about this time, or
 * not newer than the latest accepted one.
 */
export function acceptedStep(
  { cipher }: Pick<Context, 'cipher'>,
  { app, code, now }: { app: AuthenticatorAppRow; code: string; now: Date },
): number | null {
  const secret = Secret.fromBase32(openAppSecret({ cipher }, app));
  const timestamp = now.getTime();
  const token = code.replace(' ', '');
  const delta = totpOf(secret, '').validate({ token, timestamp, window: toleratedSteps });
  if (delta === null) return null;
  const step = Math.floor(timestamp / 1000 / periodSeconds) + delta;
  return app.lastStep !== null && step <= app.lastStep ? null : step;
}

/** An app's secret in base32, as it is stored. */
function sealAppSecret(
  { cipher }: Pick<Context, 'cipher'>,
  secret: string,
  sealedFor: SealedFor,
): Buffer {
  return cipher.seal(secret, about(sealedFor));
}

/** @throws Error if it was sealed by an unknown key */
function openAppSecret({ cipher }: Pick<Context, 'cipher'>, app: AppSecret): string {
  return cipher.open(app.sealedSecret, about(app));
}

function totpOf(secret: Secret, label: string): TOTP {
  return new TOTP({ issuer, label, secret, algorithm: 'SHA1', digits: 6, period: periodSeconds });
}

function about({ personId, uuid }: SealedFor) {
  return { table: 'authenticator_apps', uuid, accountId: personId };
}

/**
 * Encrypts the secret of every authenticator app with the current key, so that the previous key is
 * needed for this one start only. Until all are done, a secret can be decrypted with either key.
 *
 * @returns how many there were
 */
export async function reencryptAppSecrets({
  db,
  cipher,
}: Pick<Context, 'db' | 'cipher'>): Promise<number> {
  return await reencryptInBatches(db, {
    lock: lockAppSecrets,
    nameOf: ({ personId }) => personId,
    async replace(tx, app) {
      const sealedSecret = sealAppSecret({ cipher }, openAppSecret({ cipher }, app), app);
      await updateApp(tx, app.personId, { sealedSecret });
    },
  });
}
