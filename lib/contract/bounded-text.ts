import { z } from 'zod';

type Messages = {
  /** For what is no text at all; else a word for what is missing and one for what is no text. */
  error?: string | ((issue: { input?: unknown }) => string);
  /** For a text that is too long: names the limit. */
  tooLong?: string;
};

/** Text of at most `most` characters (code points), of which the schema in the document tells. */
export function boundedText(most: number, { error, tooLong }: Messages = {}): z.ZodString {
  const message = tooLong ?? `Use at most ${most} characters.`;
  // A character takes two code units at most.
  return rawText(2 * most, { ...(error && { error }), tooLong: message }).max(most, message);
}

/**
 * Text of at most `maxUnits` UTF-16 code units, for what is trimmed or normalised before its
 * characters count.
 *
 * A longer one is refused by its length, before anything looks into it: to normalise, trim, match
 * or count a text can take seconds for a megabyte.
 */
export function rawText(
  maxUnits: number,
  { error = requiredText, tooLong }: Messages = {},
): z.ZodString {
  return z.string({ error }).refine((text) => text.length <= maxUnits, {
    error: tooLong ?? `Use at most ${maxUnits} characters.`,
    abort: true,
  });
}

function requiredText({ input }: { input?: unknown }): string {
  return input === undefined ? 'This field is required.' : 'Use text.';
}
