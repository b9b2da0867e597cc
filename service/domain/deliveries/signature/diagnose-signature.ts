import type {
  CheckSignatureInput,
  SignatureCheck,
} from '#lib/contract/deliveries/signature-checks.ts';
import {
  signatureHeaders,
  type SignatureHeader,
  type SignatureVerdict,
} from '#lib/contract/deliveries/signature-verdicts.ts';
import { areEqualInConstantTime } from '../../../secrets/are-equal-in-constant-time.ts';
import { compareBodies } from './compare-bodies.ts';
import {
  computeDigest,
  readSignatures,
  reserialized,
  rightKey,
  rightText,
  wronglyJoined,
  wrongKeys,
  type ReadSignature,
} from './signing-mistakes.ts';

/** A stored secret of the account. */
export type KnownSecret = {
  webhook: { uuid: string; name: string };
  isOwn: boolean;
  createdAt: Date;
  /** Null for the newest. */
  validUntil: Date | null;
  /** `whsec_` and base64. */
  text: string;
};

/** A delivery that was made, with its attempts, the latest last. */
export type SentDelivery = {
  messageId: string;
  body: string;
  isPending: boolean;
  attempts: readonly SentAttempt[];
};

type SentAttempt = {
  number: number;
  requestHeaders: Record<string, string>;
  /** When its response was complete. */
  endedAt: Date;
  /** The header `date` of the response. */
  responseDate: string | undefined;
};

export type Diagnosis = Omit<SignatureCheck, 'delivery' | 'secret'> & {
  attempt: SentAttempt | null;
  secret: KnownSecret | null;
};

type DiagnosisInput = {
  pasted: CheckSignatureInput;
  sent: SentDelivery;
  secrets: readonly KnownSecret[];
  now: Date;
  mayReadPayload: boolean;
  mayReadErrorText: boolean;
};

/** By how many seconds a timestamp may differ from the time of a receiver. */
const toleranceSeconds = 300;

/**
 * Names the mistake of a receiver's code. It compares only with what was sent: signatures are
 * computed of the delivery and of what known mistakes make of it, never of what is pasted, and none
 * is returned. So nobody learns a signature that they do not have.
 *
 * Without the right to read payloads, nothing depends on the pasted body: otherwise a person could
 * find out a body by guessing. For the same reason, the empty key is tried only with that right:
 * everyone knows it.
 */
export function diagnoseSignature(input: DiagnosisInput): Diagnosis {
  const { pasted, sent, now, mayReadPayload } = input;
  const attempt = findAttempt(sent, pasted.headers);
  const missing = signatureHeaders.filter((name) => pasted.headers[name] === undefined);
  const nothing = { also: [], headers: [], secret: null, signed: null, body: null };
  if (!attempt || isAttemptInProgress({ sent, pasted, attempt, now })) {
    return { ...nothing, verdict: 'not_sent', attempt: null, clock_offset_seconds: null };
  }
  const changed = signatureHeaders.filter((name) => {
    const value = pasted.headers[name];
    return value !== undefined && value.trim() !== attempt.requestHeaders[name];
  });
  const computed = pasted.signature?.trim()
    ? diagnoseComputed(input, attempt, pasted.signature)
    : null;
  const explained = computed?.match ?? null;
  const isBodyKnown = explained !== null && !explained.faults.includes('body_reserialized');
  const compared =
    mayReadPayload && pasted.body !== undefined && !isBodyKnown
      ? compareBodies(sent.body, pasted.body)
      : null;
  const offset = clockOffset(attempt);
  const verdicts = new Set<SignatureVerdict>([
    ...(missing.length > 0 ? ['header_missing' as const] : []),
    ...(changed.length > 0 ? ['header_changed' as const] : []),
    ...(explained?.faults ?? []),
    ...(compared?.verdict ? [compared.verdict] : []),
    ...(computed && !explained && !compared?.verdict ? [computed.failure] : []),
    ...(offset !== null && Math.abs(offset) > toleranceSeconds ? ['clock' as const] : []),
  ]);
  const [verdict = computed ? 'matches' : 'as_sent', ...also] = verdicts;
  return {
    verdict,
    also,
    headers: [...missing, ...changed],
    attempt,
    secret: explained?.secret ?? null,
    signed: explained?.signed ?? null,
    body: compared?.body ?? null,
    clock_offset_seconds: input.mayReadErrorText ? offset : null,
  };
}

type PastedHeaders = Partial<Record<SignatureHeader, string | undefined>>;

/** The attempt whose headers were pasted, or the latest. */
function findAttempt({ attempts }: SentDelivery, pasted: PastedHeaders): SentAttempt | undefined {
  const sentWith = (name: SignatureHeader) =>
    attempts.findLast(({ requestHeaders }) => requestHeaders[name] === pasted[name]?.trim());
  return sentWith('webhook-timestamp') ?? sentWith('webhook-signature') ?? attempts.at(-1);
}

/** Longer than an attempt takes. */
const longestAttemptSeconds = 60;

/** An attempt is stored when it has ended. A debugger can stop a receiver's code before that. */
function isAttemptInProgress({
  sent,
  pasted,
  attempt,
  now,
}: Pick<DiagnosisInput, 'sent' | 'pasted' | 'now'> & { attempt: SentAttempt }): boolean {
  const given = Number(pasted.headers['webhook-timestamp']);
  const age = now.getTime() / 1000 - given;
  return (
    sent.isPending &&
    given > Number(attempt.requestHeaders['webhook-timestamp']) &&
    age >= 0 &&
    age < longestAttemptSeconds
  );
}

/** By how many seconds the receiver's clock is ahead. */
function clockOffset({ endedAt, responseDate }: SentAttempt): number | null {
  const theirs = Date.parse(responseDate ?? '');
  return Number.isNaN(theirs) ? null : Math.round((theirs - endedAt.getTime()) / 1000);
}

type Match = {
  faults: SignatureVerdict[];
  secret: KnownSecret | null;
  signed: string | null;
};

/** What explains a signature; without an explanation, what to say about it. */
function diagnoseComputed(
  input: DiagnosisInput,
  attempt: SentAttempt,
  signature: string,
): { match: Match | null; failure: SignatureVerdict } {
  const read = readSignatures(signature);
  const digests = read.flatMap((one) => (one.kind === 'digest' ? one : []));
  const failure = read.find(({ kind }) => kind !== 'digest')?.kind;
  // Every candidate is compared, so that the time tells nothing about which one matched.
  const matches = candidatesOf(input, attempt).flatMap(({ digest, ...candidate }) =>
    digests.flatMap(({ digest: given, fault }): Match | [] =>
      areEqualInConstantTime(digest, given)
        ? { ...candidate, faults: [...candidate.faults, ...(fault ? [fault] : [])] }
        : [],
    ),
  );
  const fewest = Math.min(...matches.map(({ faults }) => faults.length));
  return {
    match: matches.find(({ faults }) => faults.length === fewest) ?? null,
    failure: failure && failure !== 'digest' && digests.length === 0 ? failure : 'unexplained',
  };
}

/** Everything that code can have computed of the attempt, right or by a known mistake. */
function candidatesOf(
  { sent, secrets, mayReadPayload }: DiagnosisInput,
  attempt: SentAttempt,
): (Match & { digest: Buffer })[] {
  const timestamp = attempt.requestHeaders['webhook-timestamp'] ?? '';
  const message = { id: sent.messageId, timestamp, body: sent.body };
  const right = rightText(message);
  const joined = [right, ...wronglyJoined(message)];
  const all = [...joined, ...reserialized(message)];
  const withKey = (
    key: Buffer,
    texts: readonly ReturnType<typeof rightText>[],
    about: { faults: readonly SignatureVerdict[]; secret: KnownSecret | null },
  ) =>
    texts.map(({ fault, signed, text }) => ({
      digest: computeDigest(key, text),
      faults: [...about.faults, ...(fault ? [fault] : [])],
      secret: about.secret,
      signed,
    }));
  const ofSecrets = secrets.flatMap((secret) => {
    const faults = faultsOfSecret(secret, timestamp);
    const texts = secret.isOwn ? all : [right];
    return [
      ...withKey(rightKey(secret.text), texts, { faults, secret }),
      ...(secret.isOwn ? wrongKeys(secret.text) : []).flatMap(({ fault, key }) =>
        withKey(key, joined, { faults: [...faults, fault], secret }),
      ),
    ];
  });
  const empty = mayReadPayload
    ? withKey(Buffer.alloc(0), joined, { faults: ['secret_empty'], secret: null })
    : [];
  return [...ofSecrets, ...sentSignatures(attempt), ...empty];
}

/** What was sent stays right when its secret was removed since. */
function sentSignatures({ requestHeaders }: SentAttempt): (Match & { digest: Buffer })[] {
  return readSignatures(requestHeaders['webhook-signature'] ?? '').flatMap((one: ReadSignature) =>
    one.kind === 'digest' ? { digest: one.digest, faults: [], secret: null, signed: null } : [],
  );
}

/** @param timestamp when the attempt was signed, in seconds since 1970 */
function faultsOfSecret(
  { isOwn, createdAt, validUntil }: KnownSecret,
  timestamp: string,
): SignatureVerdict[] {
  if (!isOwn) return ['other_webhook'];
  const signedAt = Number(timestamp) * 1000;
  if (validUntil !== null && validUntil.getTime() <= signedAt) return ['older_secret'];
  // Timestamps are whole seconds.
  return createdAt.getTime() >= signedAt + 1000 ? ['newer_secret'] : [];
}
