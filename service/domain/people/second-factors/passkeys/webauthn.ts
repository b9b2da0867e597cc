import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type { PasskeyAssertion, PasskeyAttestation } from '#lib/contract/people/second-factors.ts';
import { minuteMs } from '#lib/durations.ts';
import type { Config } from '../../../../config/load-config.ts';
import type { Context } from '../../../../context.ts';
import type { PasskeyPurpose } from '../../../../db/schema/people/second-factors.ts';
import { insertChallenge } from '../../store/pending-sign-ins.ts';
import type { PasskeyRow } from '../../store/second-factors.ts';
import { issuer } from '../authenticator-app.ts';

/** The host of the passkeys (WebAuthn's relying party), and the pages that can use them. */
type RelyingParty = { host: string; origin: string };

const loopbackAddresses = new Set(['127.0.0.1', '[::1]']);

/**
 * A passkey belongs to a host name. A service on a loopback address can also be reached as
 * `localhost`, so passkeys work there; a service with any other IP address as PUBLIC_URL gets null.
 */
export function relyingPartyOf({ publicUrl }: Pick<Config, 'publicUrl'>): RelyingParty | null {
  const { hostname, origin, protocol, port } = publicUrl;
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) === 0) return { host: hostname, origin };
  if (!loopbackAddresses.has(hostname)) return null;
  return { host: 'localhost', origin: `${protocol}//localhost${port === '' ? '' : `:${port}`}` };
}

/** How long a browser may take to get a signature for a challenge. */
const challengeMinutes = 5;

/** EdDSA, ES256 and RS256 (COSE), which authenticators have and no runtime calls experimental. */
const supportedAlgorithmIDs = [-8, -7, -257];

type Options = Record<string, unknown>;

/** Options to create a passkey. It must ask its owner for a fingerprint, face or PIN. */
export async function optionsToAdd(
  ctx: Context,
  {
    relyingParty,
    person,
    existing,
    purpose,
  }: {
    relyingParty: RelyingParty;
    person: { id: string; name: string; email: string };
    existing: readonly PasskeyRow[];
    purpose: PasskeyPurpose;
  },
): Promise<Options> {
  const { generateRegistrationOptions } = await loadLibrary();
  const options = await generateRegistrationOptions({
    rpName: issuer,
    rpID: relyingParty.host,
    userID: Uint8Array.from(Buffer.from(person.id)),
    userName: person.email,
    userDisplayName: person.name,
    timeout: challengeMinutes * minuteMs,
    supportedAlgorithmIDs,
    excludeCredentials: existing.map(descriptorOf),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  });
  await keepChallenge(ctx, { challenge: options.challenge, personId: person.id, purpose });
  return { ...options };
}

/** Options to get a signature from one of these passkeys. */
export async function optionsToUse(
  ctx: Context,
  {
    relyingParty,
    personId,
    passkeys,
    purpose,
  }: {
    relyingParty: RelyingParty;
    personId: string;
    passkeys: readonly PasskeyRow[];
    purpose: PasskeyPurpose;
  },
): Promise<Options> {
  const { generateAuthenticationOptions } = await loadLibrary();
  const options = await generateAuthenticationOptions({
    rpID: relyingParty.host,
    timeout: challengeMinutes * minuteMs,
    allowCredentials: passkeys.map(descriptorOf),
    userVerification: 'required',
  });
  await keepChallenge(ctx, { challenge: options.challenge, personId, purpose });
  return { ...options };
}

type NewPasskey = Pick<
  PasskeyRow,
  'credentialId' | 'publicKey' | 'counter' | 'transports' | 'isSynced'
>;

/**
 * Verifies a new passkey, except for whether the service issued its challenge: pass
 * `challengeDigest` to `takeChallenge` for that. Null if it is not valid.
 */
export async function verifyNewPasskey(
  relyingParty: RelyingParty,
  given: PasskeyAttestation,
): Promise<{ passkey: NewPasskey; challengeDigest: Buffer } | null> {
  const { verifyRegistrationResponse } = await loadLibrary();
  const challenge = signedChallenge();
  const verified = await valueOrNull(async () =>
    verifyRegistrationResponse({
      response: await withoutStatement(libraryResponse(given)),
      ...expectedOf(relyingParty),
      expectedChallenge: challenge.keep,
      supportedAlgorithmIDs,
    }),
  );
  if (!verified?.verified) return null;
  const { credential, credentialBackedUp } = verified.registrationInfo;
  return {
    passkey: {
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: given.response.transports ?? [],
      isSynced: credentialBackedUp,
    },
    challengeDigest: challenge.digest(),
  };
}

/** The same for the signature of a stored passkey. */
export async function verifyPasskey(
  relyingParty: RelyingParty,
  { given, passkey }: { given: PasskeyAssertion; passkey: PasskeyRow },
): Promise<{ counter: number; isSynced: boolean; challengeDigest: Buffer } | null> {
  const { verifyAuthenticationResponse } = await loadLibrary();
  const challenge = signedChallenge();
  const verified = await valueOrNull(async () =>
    verifyAuthenticationResponse({
      response: libraryResponse(given),
      ...expectedOf(relyingParty),
      expectedChallenge: challenge.keep,
      credential: {
        id: passkey.credentialId,
        publicKey: Uint8Array.from(passkey.publicKey),
        counter: passkey.counter,
      },
    }),
  );
  if (!verified?.verified) return null;
  const { newCounter, credentialBackedUp } = verified.authenticationInfo;
  return {
    counter: newCounter,
    isSynced: credentialBackedUp,
    challengeDigest: challenge.digest(),
  };
}

/** What every response has to match. */
function expectedOf({ origin, host }: RelyingParty) {
  return { expectedOrigin: origin, expectedRPID: host, requireUserVerification: true };
}

/** Records the challenge that a response signs; whether it was issued is checked at its use. */
function signedChallenge() {
  let signed = '';
  return {
    keep: (challenge: string) => {
      signed = challenge;
      return true;
    },
    digest: () => digestChallenge(signed),
  };
}

async function keepChallenge(
  ctx: Context,
  {
    challenge,
    personId,
    purpose,
  }: { challenge: string; personId: string; purpose: PasskeyPurpose },
): Promise<void> {
  const now = ctx.clock.now();
  const expiresAt = new Date(now.getTime() + challengeMinutes * minuteMs);
  const digest = digestChallenge(challenge);
  await insertChallenge(ctx.db, { digest, personId, purpose, expiresAt }, now);
}

function digestChallenge(challenge: string): Buffer {
  return createHash('sha256').update(challenge).digest();
}

function descriptorOf({ credentialId, transports }: PasskeyRow) {
  return { id: credentialId, transports };
}

/** The library throws for any invalid response. */
async function valueOrNull<Value>(verify: () => Promise<Value>): Promise<Value | null> {
  try {
    return await verify();
  } catch {
    return null;
  }
}

/** Leaves out properties that the browser did not set, and extensions, which nothing here reads. */
function libraryResponse<Parts extends object>({
  id,
  rawId,
  type,
  response,
}: {
  id: string;
  rawId: string;
  type: 'public-key';
  response: Parts;
}) {
  const given = Object.entries(response).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  type Given = { [Part in keyof Parts]: NonNullable<Parts[Part]> };
  return {
    id,
    rawId,
    type,
    response: Object.fromEntries(given) as Given,
    clientExtensionResults: {},
  };
}

/**
 * Removes the attestation statement. Our options ask for none, but a caller can send any, and the
 * library would verify it: it would download the revocation lists that its certificates name, from
 * any address. Browsers send an unrequested statement only for self attestation, which says nothing
 * about the maker of the authenticator.
 */
async function withoutStatement<Given extends { response: { attestationObject: string } }>(
  given: Given,
): Promise<Given> {
  const { decodeAttestationObject, isoCBOR, isoBase64URL } = await loadHelpers();
  const sent = decodeAttestationObject(isoBase64URL.toBuffer(given.response.attestationObject));
  const kept = isoCBOR.encode(
    new Map<string, string | Map<string, string> | Uint8Array>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', sent.get('authData')],
    ]),
  );
  const attestationObject = isoBase64URL.fromBuffer(kept);
  return { ...given, response: { ...given.response, attestationObject } };
}

/** Loaded at the first use of a passkey: it is large, and most processes never need it. */
async function loadLibrary() {
  return await import('@simplewebauthn/server');
}

async function loadHelpers() {
  return await import('@simplewebauthn/server/helpers');
}
