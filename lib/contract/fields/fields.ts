import { z } from 'zod';
import { sampleCursor, sampleFollowCursor } from '../samples.ts';
import { boundedText, rawText } from './bounded-text.ts';
import { maxGraceSeconds } from './grace-period.ts';
import { hasNoSecret, hiddenCharacterAdvice, isPlainText, isVisible } from './plain-text.ts';

/** ISO 8601 with milliseconds and a numeric UTC offset, never `Z`. */
export const timestamp = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}[+-]\d{2}:\d{2}$/)
  .meta({
    id: 'Timestamp',
    description: 'ISO 8601 with milliseconds and a numeric UTC offset.',
    examples: ['2026-11-20T10:29:17.123+00:00'],
  });

export const id = z.int().positive();
export const uuid = z.guid();

/** The `id` and `uuid` of a resource, described as those of `noun`, as "the webhook". */
export function identifiers(noun: string) {
  return {
    id: id.describe(`Integer id of ${noun}.`),
    uuid: uuid.describe(`UUID of ${noun}. Paths accept it in place of the integer id.`),
  };
}

/** A UUID from a client, in lower case as we write it. */
export const givenUuid = rawText(36, { tooLong: 'Use a UUID, which has 36 characters.' })
  .check(z.guid('Use a UUID.'))
  .toLowerCase();

/**
 * One line of text a person types: trimmed, NFC, 1–100 characters.
 * Control, text-direction and other invisible characters are refused: they make two names look
 * alike.
 *
 * @param missing what to do when nothing is left of the text
 */
export function shortText(missing: string) {
  return rawText(1000, { tooLong: 'Use at most 100 characters.' })
    .transform((text) => text.normalize('NFC').trim())
    .pipe(
      z
        .string()
        .min(1, missing)
        .refine(isVisible, missing)
        .refine((text) => [...text].length <= 100, 'Use at most 100 characters.')
        .refine(isPlainText, hiddenCharacterAdvice),
    );
}

/** The same in words. */
export const shortTextRules =
  '1 to 100 characters, trimmed, without control, text-direction and other invisible characters.';

export const name = shortText('Enter a name of 1 to 100 characters.')
  .refine(hasNoSecret, 'Leave tokens and secrets out of the name.')
  .meta({
    id: 'Name',
    description: shortTextRules,
    maxLength: 100,
    examples: ['Order notifier'],
  });

const graceAdvice = `Use whole seconds from 0 to ${maxGraceSeconds}.`;

/** For how many seconds the replaced token or secret stays valid; 0 ends it immediately. */
export const gracePeriodSeconds = z
  .int({ error: graceAdvice })
  .min(0, graceAdvice)
  .max(maxGraceSeconds, graceAdvice);

/** In decimal digits. `Number` reads other texts too: an empty one as 0, and `0x10` as 16. */
export function queryInteger(schema: z.ZodNumber) {
  return z.preprocess(
    (text) => (typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : text),
    schema,
  );
}

/** Query parameters of every paged list. */
export const pageQuery = {
  cursor: boundedText(512)
    .optional()
    .describe('The `next_cursor` of the previous page. Omit it for the first page.'),
  limit: queryInteger(
    z
      .int('Use a whole number from 1 to 100.')
      .min(1, 'Use a whole number from 1 to 100.')
      .max(100, 'Use a whole number from 1 to 100.'),
  )
    .default(50)
    .describe('The maximum number of items per page, 1 to 100. Default: 50.'),
};

const follow = boundedText(4096)
  .optional()
  .describe(
    'Lists what was added since an earlier request, oldest first, each item once. Begin with `now`, which lists nothing; then pass the `follow_cursor` of each response to the next request. If a response has as many items as `limit`, there may be more.',
  );

/** The query of a paged list whose new items can be followed. */
export function followedPageQuery<Filters extends z.ZodRawShape>(filters: Filters) {
  return z
    .strictObject({ ...filters, ...pageQuery, follow })
    .refine((query: object) => !('cursor' in query && 'follow' in query), {
      path: ['cursor'],
      error: 'Omit it, or omit follow, which has its own cursor.',
    });
}

/** The last four characters of a token, which is base62, or of a secret, which is base64. */
export function lastFourFrom(advice: string) {
  return rawText(8, { error: advice, tooLong: advice }).regex(/^[0-9A-Za-z+/=]{4}$/, advice);
}

/** The last four characters of a token or secret, from a client. */
export const givenLastFour = lastFourFrom('Use the last four characters.');

/** Takes no fields: a client that sends some expects them to do something, so it is refused. */
export const noFields = z.strictObject({});

const successFlag = z.literal(true).describe('Always `true` on success.');

/**
 * The documented success envelope around `data`.
 * @param example the data in the example of the response, if it differs from that of `data`
 */
export function success<Data extends z.ZodType>(data: Data, example?: object) {
  const envelope = z.object({
    success: successFlag,
    data: data.describe('The result of the operation.'),
  });
  return example === undefined
    ? envelope
    : envelope.meta({ examples: [{ success: true, data: example }] });
}

/** The success envelope of a paged list; `next_cursor` is null on the last page. */
export function page<Item extends z.ZodType>(item: Item) {
  return z.object({
    success: successFlag,
    data: z.array(item).describe('The items of this page.'),
    next_cursor: z
      .string()
      .nullable()
      .describe('Pass it as `cursor` to get the next page; null on the last page.')
      .meta({ examples: [sampleCursor] }),
  });
}

/** The same for a list that can be followed. */
export function followedPage<Item extends z.ZodType>(item: Item) {
  return page(item).extend({
    follow_cursor: z
      .string()
      .optional()
      .describe('Only with `follow`: pass it as `follow` in the next request.')
      .meta({ examples: [sampleFollowCursor] }),
  });
}
