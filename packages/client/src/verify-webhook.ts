import { createHmac, timingSafeEqual } from 'node:crypto';
import type { webhooks } from './generated/api.ts';

/** The body of a delivery, by its `type`. New types can be added at any time: ignore those. */
export type WebhookEvent =
  webhooks[keyof webhooks]['post']['requestBody']['content']['application/json'];

/** A `Headers`, or an object as Node.js and its frameworks pass it, with names in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

export type VerifyOptions = {
  /** By how much the time of the attempt may differ from `now`, in seconds. Default: 300. */
  toleranceSeconds?: number;
  /** The time. Default: that of this machine. */
  now?: Date;
};

/** Why a request was refused: it was not sent by the service, or not recently, or was changed. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: 'headers' | 'timestamp' | 'signature';

  constructor(reason: WebhookVerificationError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Verifies the signature of a delivery, as Standard Webhooks defines it, and returns its event.
 *
 * @param body as it was received, before anything parsed it
 * @param secrets the signing secret of the webhook; several while it is being replaced, of which
 * one has to match
 * @throws WebhookVerificationError if the request must be refused
 * @throws TypeError if the body was parsed already, or a secret is missing or malformed
 */
// oxlint-disable-next-line max-params -- three are what every receiver has, the fourth is optional
export function verifyWebhook(
  headers: WebhookHeaders,
  body: string | Uint8Array | ArrayBuffer,
  secrets: string | undefined | readonly (string | undefined)[],
  options: VerifyOptions = {},
): WebhookEvent {
  const keys = [secrets].flat().map(keyOf);
  if (keys.length === 0) throw new TypeError('No signing secret is given.');
  const bytes = bytesOf(body);

  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  const { toleranceSeconds = 300, now = new Date() } = options;
  const age = now.getTime() / 1000 - Number(timestamp);
  if (!/^\d{1,12}$/.test(timestamp) || !(Math.abs(age) <= toleranceSeconds)) {
    throw new WebhookVerificationError(
      'timestamp',
      `The webhook-timestamp differs from the time by more than ${toleranceSeconds} seconds.`,
    );
  }

  // A `Headers` joins several headers of one name with commas, and each signature contains one.
  const given = Array.from(signatures.matchAll(/(?<![^\s,])v1,([A-Za-z0-9+/]+=*)/g), ([, text]) =>
    Buffer.from(text ?? '', 'base64'),
  );
  const isGenuine = keys.some((key) => {
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(bytes).digest();
    return given.some(
      (signature) => signature.length === expected.length && timingSafeEqual(signature, expected),
    );
  });
  if (!isGenuine) {
    throw new WebhookVerificationError('signature', 'No webhook-signature matches the secret.');
  }
  // What has a valid signature was written by the service.
  return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
}

/** The key of a signing secret, which no message repeats. */
function keyOf(secret: string | undefined): Buffer {
  if (!secret) throw new TypeError('A signing secret is empty or undefined.');
  const base64 = secret.replace(/^whsec_/, '');
  const key = Buffer.from(base64, 'base64');
  if (!/^[A-Za-z0-9+/]+=*$/.test(base64) || key.length === 0) {
    throw new TypeError('A signing secret is not `whsec_` and base64.');
  }
  return key;
}

function bytesOf(body: string | Uint8Array | ArrayBuffer): Uint8Array {
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  throw new TypeError('The body was parsed already: pass its text or bytes as they were received.');
}

/** @throws WebhookVerificationError if there is no such header */
function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    typeof headers.get === 'function'
      ? headers.get(name)
      : Object.entries(headers as Record<string, string | readonly string[] | undefined>)
          .filter(([key]) => key.toLowerCase() === name)
          .flatMap(([, values]) => values ?? [])
          .join(' ');
  if (!value) throw new WebhookVerificationError('headers', `The header ${name} is missing.`);
  return value;
}
