import { createHmac, randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { areEqualInConstantTime } from '../secrets/are-equal-in-constant-time.ts';
import { deriveKey } from '../secrets/secret-key.ts';
import type { SecretKeys } from '../secrets/secret-key.ts';
import { daySeconds } from '#lib/durations.ts';

/** A person and the stored hash of their password. */
type Credential = { personId: string; passwordHash: string };

/** A browser in which a person signed in before. */
export type Device = {
  deviceId: string;
  /** Whether this person signed in with this password. An older password does not count. */
  isOf(credential: Credential): boolean;
};

/** What a browser stores for the next sign-in, and for how long. */
export type DeviceToken = { deviceToken: string; deviceMaxAgeSeconds: number };

/**
 * Device tokens distinguish a browser in which a person signed in before from all others, so that
 * guesses from elsewhere cannot lock that person out (OWASP, "Slow Down Online Guessing Attacks
 * with Device Cookies"). A token signs nobody in: the password is still required.
 */
export type DeviceTokens = {
  /**
   * Issues a token for the browser of a person who just gave the right password.
   * @param input.device the browser, if it was known before; null for a new one
   */
  issue(input: { credential: Credential; device: Device | null }): DeviceToken;
  /** Null unless this service signed the token within the last 180 days. */
  read(token: string): Device | null;
};

const maxAgeSeconds = 180 * daySeconds;

/**
 * A token consists of its claims and their HMAC-SHA-256, both in base64url, separated by a dot. It
 * is signed with the current key; signatures of the previous key are still accepted. The claims
 * contain no secret: for the password, they have the HMAC of its stored hash.
 */
export function createDeviceTokens(options: {
  secretKeys: SecretKeys;
  clock: Clock;
}): DeviceTokens {
  const { secretKeys, clock } = options;
  const currentKey = deriveKey(secretKeys.current, 'devices');
  const keys = [
    currentKey,
    ...(secretKeys.previous === null ? [] : [deriveKey(secretKeys.previous, 'devices')]),
  ];
  const nowSeconds = () => Math.floor(clock.now().getTime() / 1000);

  return {
    issue({ credential, device }) {
      const claims: Claims = {
        person: credential.personId,
        device: device?.deviceId ?? randomUUID(),
        issued: nowSeconds(),
        password: fingerprint(currentKey, credential),
      };
      const text = Buffer.from(JSON.stringify(claims)).toString('base64url');
      return {
        deviceToken: `${text}.${sign(currentKey, text)}`,
        deviceMaxAgeSeconds: maxAgeSeconds,
      };
    },
    read(token) {
      const [text = '', signature = '', ...rest] = token.split('.');
      if (rest.length > 0) return null;
      const key = keys.find((each) => areEqual(sign(each, text), signature));
      if (!key) return null;
      // This service signed the claims, so they have the shape that `issue` gave them.
      const claims = JSON.parse(Buffer.from(text, 'base64url').toString()) as Claims;
      if (claims.issued + maxAgeSeconds <= nowSeconds()) return null;
      return {
        deviceId: claims.device,
        isOf: (credential) =>
          claims.person === credential.personId &&
          areEqual(claims.password, fingerprint(key, credential)),
      };
    },
  };
}

type Claims = { person: string; device: string; issued: number; password: string };

/** Changes with the stored hash, and so with the password, but reveals neither. */
function fingerprint(key: Buffer, { personId, passwordHash }: Credential): string {
  return hmac(key, `password:${personId}:${passwordHash}`).subarray(0, 16).toString('base64url');
}

function sign(key: Buffer, claims: string): string {
  return hmac(key, `token:${claims}`).toString('base64url');
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function areEqual(first: string, second: string): boolean {
  return areEqualInConstantTime(Buffer.from(first), Buffer.from(second));
}
