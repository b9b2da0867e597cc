import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { PasskeyAssertion, PasskeyAttestation } from '#lib/contract/people/second-factors.ts';

const userPresent = 0x01;
const userVerified = 0x04;
const hasCredential = 0x40;

type Challenge = { options: Record<string, unknown>; origin: string };

/** One passkey as a browser and its authenticator create and use it (WebAuthn, ES256). */
export class SoftwareAuthenticator {
  readonly credentialId = randomBytes(32);
  /** Whether it requires a fingerprint, face or PIN. */
  verifiesUser = true;
  /** The attestation format; its statement is empty, which only `none` allows. */
  attestationFormat = 'none';
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  #counter = 0;

  /** Responds to the options of `startPasskey`. */
  create({ options, origin }: Challenge): PasskeyAttestation {
    const { rp, challenge } = options as { rp: { id: string }; challenge: string };
    const authenticatorData = Buffer.concat([
      this.#data(rp.id, hasCredential),
      Buffer.alloc(16),
      uint16(this.credentialId.length),
      this.credentialId,
      this.#coseKey(),
    ]);
    return {
      ...this.#names(),
      response: {
        clientDataJSON: clientData({ type: 'webauthn.create', challenge, origin }),
        attestationObject: base64url(
          Buffer.concat([
            cborMap(3),
            cborText('fmt'),
            cborText(this.attestationFormat),
            cborText('attStmt'),
            cborMap(0),
            cborText('authData'),
            cborBytes(authenticatorData),
          ]),
        ),
        transports: ['internal'],
      },
    };
  }

  /** Responds to options to use a passkey. */
  get({ options, origin }: Challenge): PasskeyAssertion {
    const { rpId, challenge } = options as { rpId: string; challenge: string };
    this.#counter += 1;
    const authenticatorData = this.#data(rpId, 0);
    const clientDataJSON = clientData({ type: 'webauthn.get', challenge, origin });
    const signed = Buffer.concat([
      authenticatorData,
      sha256(Buffer.from(clientDataJSON, 'base64url')),
    ]);
    return {
      ...this.#names(),
      response: {
        clientDataJSON,
        authenticatorData: base64url(authenticatorData),
        signature: base64url(sign('sha256', signed, this.#keys.privateKey)),
      },
    };
  }

  #names() {
    const id = base64url(this.credentialId);
    return { id, rawId: id, type: 'public-key' as const };
  }

  #data(host: string, flags: number): Buffer {
    const verified = this.verifiesUser ? userVerified : 0;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#counter);
    return Buffer.concat([sha256(host), Buffer.of(userPresent | verified | flags), counter]);
  }

  /** RFC 9053, 7.1.1: key type EC2, ES256, P-256. */
  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    return Buffer.concat([
      cborMap(5),
      Buffer.of(0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21),
      cborBytes(Buffer.from(x, 'base64url')),
      Buffer.of(0x22),
      cborBytes(Buffer.from(y, 'base64url')),
    ]);
  }
}

function clientData(options: { type: string; challenge: string; origin: string }): string {
  return base64url(JSON.stringify({ ...options, crossOrigin: false }));
}

function base64url(bytes: Buffer | string): string {
  return Buffer.from(bytes).toString('base64url');
}

function sha256(bytes: Buffer | string): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function cborMap(pairs: number): Buffer {
  return Buffer.of(0xa0 + pairs);
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.of(0x60 + text.length), Buffer.from(text)]);
}

function cborBytes(bytes: Buffer): Buffer {
  const head =
    bytes.length < 256
      ? Buffer.of(0x58, bytes.length)
      : Buffer.concat([Buffer.of(0x59), uint16(bytes.length)]);
  return Buffer.concat([head, bytes]);
}
