import { z } from 'zod';
import { boundedText, rawText } from '../fields/bounded-text.ts';
import { hasNoSecret, hiddenCharacterAdvice, isPlainText } from '../fields/plain-text.ts';
import { keyDetailLimits as limits } from './key-detail-limits.ts';

const tooLongDescription = `Use at most ${limits.descriptionLength} characters.`;

/** A key's description, from a client. It may have line breaks. An empty text becomes null. */
export const givenDescription = rawText(4 * limits.descriptionLength, {
  tooLong: tooLongDescription,
})
  .transform((text) => text.normalize('NFC').replaceAll(/\r\n?/g, '\n').trim())
  .pipe(
    z
      .string()
      .refine((text) => [...text].length <= limits.descriptionLength, tooLongDescription)
      .refine((text) => isPlainText(text.replaceAll(/[\n\t]/g, ' ')), hiddenCharacterAdvice)
      .refine(hasNoSecret, 'Leave tokens and secrets out of the description.'),
  )
  .transform((text) => (text === '' ? null : text))
  .nullable()
  .describe(
    `What the key is for: at most ${limits.descriptionLength} characters, line breaks allowed. Null or an empty text for no description.`,
  );

/** Tags are compared and stored in lower case, with single spaces. Forms separate by commas. */
const givenTag = rawText(200, { error: 'Write each tag as text.', tooLong: tagLength() })
  .transform((text) => text.normalize('NFC').replaceAll(/\s+/g, ' ').trim().toLowerCase())
  .pipe(
    z
      .string()
      .min(1, tagLength())
      .refine((text) => [...text].length <= limits.tagLength, tagLength())
      .refine((text) => !text.includes(','), 'Leave commas out of tags.')
      .refine(isPlainText, hiddenCharacterAdvice)
      .refine(hasNoSecret, 'Leave tokens and secrets out of tags.'),
  )
  .meta({ maxLength: limits.tagLength });

export const givenTags = z
  .array(givenTag, { error: 'Use a list of tags.' })
  .max(limits.tags, `Use at most ${limits.tags} tags.`)
  .refine((tags) => new Set(tags).size === tags.length, 'Use each tag only once.')
  .describe(
    `Words to find the key by: at most ${limits.tags} of 1 to ${limits.tagLength} characters, without commas, stored in lower case. An empty list means none.`,
  );

function tagLength(): string {
  return `Use at least 1 and at most ${limits.tagLength} characters per tag.`;
}

/** A member by their id, as `created_by` and the dashboard name people. */
export const givenResponsible = boundedText(64, {
  error: 'Use the id of a member of the account, or null.',
  tooLong: 'An id of a person has at most 64 characters.',
})
  .refine(isPlainText, 'Use the id of a member of the account, or null.')
  .nullable()
  .describe(
    'The id of the member who is responsible for the key; null for nobody. This gives them no rights.',
  );

export const givenRateLimit = z
  .int({ error: 'Use a whole number of at least 1, or null.' })
  .min(1, 'Use a whole number of at least 1, or null.')
  .max(1_000_000_000, 'Use at most 1000000000.')
  .nullable()
  .describe(
    'How many calls a minute the key may make, at most the limit of the account; null for the limit that every key has.',
  );

/** The same fields in responses. */
export const keyDetails = {
  description: z
    .string()
    .nullable()
    .describe('What the key is for, as a person described it; null if there is no description.'),
  tags: z.array(z.string()).describe('Words to find the key by, in lower case.'),
  responsible: z
    .object({
      id: z.string().describe('Their id.'),
      name: z
        .string()
        .describe('Their name; for a person who left, the name they had when chosen.'),
      is_member: z.boolean().describe('Whether they still belong to the account.'),
    })
    .nullable()
    .describe('The person responsible for the key; null if nobody was chosen.'),
  rate_limit_per_minute: z
    .int()
    .positive()
    .nullable()
    .describe(
      'How many calls a minute the key may make by its own limit; null if it has none. If the limit of the account is lower, that limit applies.',
    ),
  may_rotate_itself: z
    .boolean()
    .describe('Whether the key may call `POST /api/v1/api-key/rotate`.'),
};
