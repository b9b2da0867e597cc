import { z } from 'zod';

type Messages = {
  /** The message for a value that is not a text, or also for a missing one. */
  error?: string | ((issue: { input?: unknown }) => string);
  /** The message for a text that is too long, which names the limit. */
  tooLong?: string;
};

/** A text of at most `most` characters (code points), which the JSON Schema also states. */
export function boundedText(max: number, { error, tooLong }: Messages = {}): z.ZodString {
  const message = tooLong ?? `Use at most ${max} characters.`;
  // A character has at most two code units.
  return rawText(2 * max, { ...(error && { error }), tooLong: message }).max(max, message);
}

/**
 * A text of at most `maxUnits` UTF-16 code units, for a text that is trimmed or normalized before
 * its characters are counted.
 *
 * A longer text is refused by its length before anything reads it: normalizing, trimming, matching
 * or counting a text of a megabyte can take seconds.
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
