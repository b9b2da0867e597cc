import { z } from 'zod';
import { boundedText, rawText } from './bounded-text.ts';
import { sampleCursor } from './samples.ts';

/** Nobody who typed an emoji knows that it has hidden characters. */
const combinedEmojiAdvice =
  'Leave out combined emoji such as \u{1f468}\u200d\u{1f469}\u200d\u{1f467}: they contain invisible characters. Simple emoji such as \u{1f600} are allowed.';

/** The message for a text that is not plain: what its first hidden character is, and where. */
export const hiddenCharacterAdvice = {
  error: ({ input }: { input?: unknown }) => {
    const { before, hidden, after } = splitAtHidden(String(input));
    if (hidden === '\u200d' && endsInEmoji.test(before) && beginsWithEmoji.test(after)) {
      return combinedEmojiAdvice;
    }
    // A few characters show the place, and are too few to repeat a token that was pasted.
    const line = /[^\n\r\u2028\u2029]*$/.exec(before)?.[0] ?? '';
    const shown = [...line.trim()].slice(-8).join('').trim();
    const start = line === before ? 'at the start' : 'at the start of a line';
    const place = shown === '' ? start : `after “${shown}”`;
    const point = (hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `Remove the ${describeHidden(hidden)} ${place} (U+${point}).`;
  },
};

const endsInEmoji = /\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?$/u;
const beginsWithEmoji = /^\p{Extended_Pictographic}/u;

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

export const name = shortText('Give it a name of 1 to 100 characters.')
  .refine(hasNoSecret, 'Leave tokens and secrets out of the name.')
  .meta({
    id: 'Name',
    description: shortTextRules,
    examples: ['Order notifier'],
  });

const instantAdvice = 'Use ISO 8601 with a zone, as 2027-01-31T12:00:00+00:00';
const yearAdvice = 'Use a date from the year 0001 to the year 9999, in UTC.';
const earliestTime = Date.parse('0001-01-01T00:00:00.000Z');
const latestTime = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * An instant from a client: ISO 8601 with an offset or `Z`. In UTC it lies in the years 1 to 9999:
 * PostgreSQL knows no year 0, and beyond the end the format needs a fifth digit.
 */
export const instantField = asInstant(instantText());

/**
 * The same in a query string, where a `+` that is not encoded means a space. It is read as the `+`
 * of the offset, so that times can be sent as the API writes them.
 */
export const queryInstant = asInstant(
  instantText().overwrite((text) => text.replace(/ (\d{2}:\d{2})$/, '+$1')),
);

function instantText(): z.ZodString {
  return rawText(64, {
    error: `${instantAdvice}.`,
    tooLong: `${instantAdvice}, in at most 64 characters.`,
  });
}

function asInstant(text: z.ZodString): z.ZodString {
  return text
    .refine((given) => !/^[+-]?\d{5,}-/.test(given), { error: yearAdvice, abort: true })
    .check(z.iso.datetime({ offset: true, error: `${instantAdvice}.`, abort: true }))
    .refine((given) => Number.isFinite(Date.parse(given)), {
      error: 'This date does not exist.',
      abort: true,
    })
    .refine((given) => {
      const time = Date.parse(given);
      return time >= earliestTime && time <= latestTime;
    }, yearAdvice);
}

/** How long the replaced token or secret stays valid, in seconds: 0 (at once) to 7 days. */
export const gracePeriodSeconds = z
  .int({ error: 'Use whole seconds from 0 to 604800.' })
  .min(0, 'Use whole seconds from 0 to 604800.')
  .max(604_800, 'Use whole seconds from 0 to 604800.');

/** Query parameters of every paged list. */
export const pageQuery = {
  cursor: boundedText(512)
    .optional()
    .describe('The `next_cursor` of the previous page. Leave it out for the first page.'),
  limit: z.coerce
    .number({ error: 'Use a whole number from 1 to 100.' })
    .int('Use a whole number from 1 to 100.')
    .min(1, 'Use a whole number from 1 to 100.')
    .max(100, 'Use a whole number from 1 to 100.')
    .default(50)
    .describe('The most items a page holds, 1 to 100; 50 if left out.'),
};

/** The last four characters of a token, which is base62, or of a secret, which is base64. */
export function lastFourFrom(advice: string) {
  return rawText(8, { error: advice, tooLong: advice }).regex(/^[0-9A-Za-z+/=]{4}$/, advice);
}

/** The last four characters of a token or secret, from a client. */
export const givenLastFour = lastFourFrom('Use the last four characters.');

/**
 * The body of an operation that takes no fields: a client that sends some expects them to do
 * something, so they are refused.
 */
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

/**
 * The characters that no reader sees, except variation selectors: emoji and names in Japanese need
 * them. Some format characters (`\p{Cf}`) are visible, such as Arabic number signs.
 */
const hiddenCharacters =
  // oxlint-disable-next-line no-control-regex -- refusing control characters is the point
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|\p{Cs}|(?!\p{Variation_Selector})\p{Default_Ignorable_Code_Point}/u;

/** The flags of England, Scotland and Wales, which hidden characters tell apart. */
const flagsWithTags =
  /\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/gu;

/** Whether a text has nothing in it that a reader cannot see. */
export function isPlainText(text: string): boolean {
  return !hiddenCharacters.test(text.replaceAll(flagsWithTags, ''));
}

type SplitText = { before: string; hidden: string; after: string };

/** Line breaks and tabs are found only if nothing else is hidden: some texts may have them. */
function splitAtHidden(text: string): SplitText {
  const plain = text.replaceAll(flagsWithTags, '');
  const found =
    hiddenCharacters.exec(plain.replaceAll(/[\n\t]/g, ' ')) ?? hiddenCharacters.exec(plain);
  const [hidden = ''] = found ?? [];
  const place = found?.index ?? 0;
  return { before: plain.slice(0, place), hidden, after: plain.slice(place + hidden.length) };
}

function describeHidden(character: string): string {
  if (character === '\t') return 'tab';
  return /[\n\r\u2028\u2029]/.test(character) ? 'line break' : 'invisible character';
}

/** Whether a reader sees anything of a plain text. U+2800 is the blank Braille pattern. */
function isVisible(text: string): boolean {
  return /[^\s\u2800\p{Variation_Selector}]/u.test(text);
}

/**
 * Whether a text has no token and no signing secret in it. People paste them into texts that others
 * read and that the audit log keeps.
 */
export function hasNoSecret(text: string): boolean {
  return !/sk_live_\w{20}|whsec_[\w+/]{20}/.test(text);
}
