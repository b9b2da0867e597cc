/** Every answer of the signature doctor: its title in the dashboard, and what it means. */
export const signatureVerdicts = {
  header_missing: {
    title: 'A header is missing',
    meaning: 'A `webhook-…` header did not reach your code. See `headers`.',
  },
  no_delivery: {
    title: 'There is no such delivery',
    meaning:
      'The webhook made no delivery with this `webhook-id`, or its history was removed. Check that the webhook is the right one.',
  },
  not_sent: {
    title: 'This attempt is not recorded yet',
    meaning:
      'An attempt is recorded when your server has responded or timed out. Check again in a few seconds.',
  },
  header_changed: {
    title: 'A header is not the one that was sent',
    meaning:
      'A proxy or your framework changed a `webhook-…` header. See `headers`. Compare the headers with those of the attempt, and pass them on unchanged.',
  },
  secret_as_text: {
    title: 'The whole secret was used as the key',
    meaning:
      'Your code used `whsec_…` as text. Remove `whsec_` and decode the rest as base64: the result is the key.',
  },
  secret_not_decoded: {
    title: 'The secret was not decoded',
    meaning:
      'Your code removed `whsec_` and used the rest as text. Decode the rest as base64: the result is the key.',
  },
  secret_with_prefix: {
    title: 'The secret was decoded with its prefix',
    meaning:
      'Your code decoded the whole secret as base64. Remove `whsec_` first, and decode only the rest.',
  },
  secret_empty: {
    title: 'The secret is empty',
    meaning: 'Your code computed the signature with an empty key. Check how it reads the secret.',
  },
  older_secret: {
    title: 'An older secret was used',
    meaning: 'The secret that your code has no longer signs. Give it the newest one.',
  },
  newer_secret: {
    title: 'The secret is newer than this delivery',
    meaning:
      'The delivery was signed before the secret was created. Check a delivery that was sent since.',
  },
  other_webhook: {
    title: 'The secret of another webhook was used',
    meaning: 'See `secret` for the webhook. Each webhook has its own secret.',
  },
  hex: {
    title: 'The signature is hex, not base64',
    meaning: 'Encode the 32 bytes of the HMAC as base64.',
  },
  wrong_base64: {
    title: 'The signature is another kind of base64',
    meaning:
      'Your code used the URL alphabet (`-` and `_`) or left out the padding (`=`). Use standard base64.',
  },
  wrong_algorithm: {
    title: 'The signature is not HMAC-SHA256',
    meaning: 'It does not have the 32 bytes of an HMAC-SHA256. Check the algorithm.',
  },
  not_a_signature: {
    title: 'This is not a signature',
    meaning:
      'What your code computed is neither base64 nor hex. Paste it as your code compares it.',
  },
  joined_wrongly: {
    title: 'The signed parts are joined wrongly',
    meaning:
      'Sign `id.timestamp.body`: the values of `webhook-id` and `webhook-timestamp` and the raw body, with a dot between them. `signed` is what your code signed.',
  },
  body_empty: {
    title: 'The body was empty',
    meaning:
      'Your code signed no body. Something read the body before your code did, such as a JSON parser.',
  },
  body_object: {
    title: 'An object was signed, not the body',
    meaning:
      'Your code put a parsed object or a bytes literal into the text to sign. Use the raw bytes of the body.',
  },
  body_reserialized: {
    title: 'The body was re-serialized',
    meaning:
      'The values are the same, but the bytes are not: something parsed the JSON and wrote it again before your code verified it. Verify the raw bytes.',
  },
  body_encoding: {
    title: 'The body was decoded with the wrong character set',
    meaning:
      'The bytes were read as Latin-1 or Windows-1252. They are UTF-8. Verify the raw bytes.',
  },
  body_white_space: {
    title: 'White space was added around the body',
    meaning: 'The body is the one that was sent, with white space before or after it.',
  },
  body_truncated: {
    title: 'The body ends too early',
    meaning: 'Only the beginning of the body reached your code. Read it to its end.',
  },
  body_changed: {
    title: 'The body is another one',
    meaning: 'Its values are not those that were sent.',
  },
  unexplained: {
    title: 'The signature does not match',
    meaning:
      'It is the result of no mistake that is known here, with no secret that is still stored. Most often, the body was changed before your code verified it, or the secret was replaced without a grace period.',
  },
  clock: {
    title: 'The clock of your server is wrong',
    meaning:
      'The `Date` of its response differs by more than 5 minutes from the time of this service, so your code rejects the timestamp. Set the clock with NTP.',
  },
  as_sent: {
    title: 'What you pasted is what was sent',
    meaning:
      'Nothing changed it on its way to your code. Add the signature that your code computed, to find out what is wrong with it.',
  },
  matches: {
    title: 'Everything matches',
    meaning:
      'Your code computes the right signature. Compare it with the part after `v1,` of each signature in the header, and check the clock of your server.',
  },
} as const satisfies Record<string, { title: string; meaning: string }>;

export type SignatureVerdict = keyof typeof signatureVerdicts;

/** The headers from which a receiver verifies a request. */
export const signatureHeaders = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

export type SignatureHeader = (typeof signatureHeaders)[number];

export const noSecretAdvice =
  'This contains a signing secret. Remove it: a check never needs it. If you sent it to anyone else, regenerate it.';

/** Whether a text contains a signing secret, or most of one. */
export function containsSigningSecret(text: string): boolean {
  return /whsec_[\w+/=-]{5}/i.test(text);
}

export const longestPasted = { header: 1000, body: 131_072, signature: 1000 } as const;

export const bodyChanges = ['order', 'white_space', 'escapes', 'numbers'] as const;
