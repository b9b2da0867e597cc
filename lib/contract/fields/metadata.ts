import { z } from 'zod';
import { id } from './fields.ts';
import { boundedText } from './bounded-text.ts';
import { bytesInJson, hasNoControlCharacter } from './plain-text.ts';

/** The limits on names and values are those of Stripe's metadata. */
const limits = { pairs: 16, nameLength: 40, valueLength: 500, bytes: 9000 };

const nameAdvice = `Use names of 1 to ${limits.nameLength} characters, without square brackets and control characters.`;

const metadataName = boundedText(limits.nameLength, { tooLong: nameAdvice })
  .min(1, nameAdvice)
  .refine((name) => /^[^[\]]*$/.test(name) && hasNoControlCharacter(name), nameAdvice)
  .refine((name) => name !== '__proto__', nameAdvice);

const metadataValue = boundedText(limits.valueLength)
  .refine(hasNoControlCharacter, 'Remove control characters other than line breaks and tabs.')
  .refine(
    // oxlint-disable-next-line browser-floor/supported -- schemas run on the server only
    (text) => text.isWellFormed(),
    'Remove the half of a surrogate pair (U+D800 to U+DFFF): it is not a character.',
  );

/** What a client stores with a conversation or message, for itself and for receivers. */
export const metadata = z.record(z.string(), z.string());

export const givenMetadata = z
  .record(metadataName, metadataValue, {
    error: (issue) =>
      issue.code === 'invalid_key' ? issue.issues[0]?.message : 'Use a JSON object of texts.',
  })
  .refine(
    (given) => Object.keys(given).length <= limits.pairs,
    `Use at most ${limits.pairs} pairs.`,
  )
  .refine(
    (given) => bytesInJson(given) <= limits.bytes,
    `Use at most ${limits.bytes} bytes in UTF-8, as JSON.`,
  )
  .meta({ maxProperties: limits.pairs })
  .optional();

/** The same in words. */
export const metadataRules = `at most ${limits.pairs} pairs of texts, with names of up to ${limits.nameLength} characters without square brackets, and values of up to ${limits.valueLength} characters; at most ${limits.bytes.toLocaleString('en')} bytes as JSON. The service stores it, sends it with events, and does not interpret it: leave out tokens and secrets.`;

/** Which key wrote something. */
export const origin = z
  .object({ api_key_id: id.describe('Integer id of the API key that made the call.') })
  .nullable();
