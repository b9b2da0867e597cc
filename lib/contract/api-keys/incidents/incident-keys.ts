import { z } from 'zod';
import { actorReference } from '../../fields/actor-reference.ts';
import { boundedText } from '../../fields/bounded-text.ts';
import { timestamp, uuid } from '../../fields/fields.ts';
import { instantField } from '../../fields/instants.ts';
import { hasNoSecret, hiddenCharacterAdvice, isPlainText } from '../../fields/plain-text.ts';
import { keyDetails } from '../key-details.ts';
import { keyTypes } from '../key-types.ts';

/** How people recognize a key. */
export const keyName = { uuid, name: z.string(), last_four: z.string().length(4) };

/** The times over which the numbers of calls were counted. */
export const counted = z.object({
  hour_from: timestamp.describe('Start of the time over which the calls per hour are counted.'),
  day_from: timestamp.describe(
    'Start of the time over which the calls of the last day are counted.',
  ),
  until: timestamp,
});

export type CountedCalls = z.infer<typeof counted>;

const incidentKey = z.object({
  ...keyName,
  type: z.enum(keyTypes),
  created_at: timestamp,
  created_by: actorReference,
  rotated_at: timestamp
    .nullable()
    .describe('When the newest token was created; null if the key was never rotated.'),
  responsible: keyDetails.responsible,
  last_used_at: timestamp
    .nullable()
    .describe('When a valid token of the key was last used; null if none was.'),
  last_used_ip: z.string().nullable(),
  live_tokens: z.int().describe('How many of its tokens are valid now.'),
  is_in_use: z.boolean().describe('Whether a call was made with it in the last 5 minutes.'),
  calls_per_hour: z.int().describe('Calls per hour since `hour_from`, rounded up.'),
  calls_last_day: z.int().describe('Calls since `day_from`.'),
});

export type IncidentKey = z.infer<typeof incidentKey>;

const keyCreator = z.object({
  creator: z.string().describe('The value of `created_by` for this creator.'),
  name: z.string(),
  kind: actorReference.shape.kind,
  keys: z.int().describe('How many active keys of the account it created.'),
});

export type KeyCreator = z.infer<typeof keyCreator>;

export const incidentKeys = z.object({
  keys: z.array(incidentKey),
  creators: z
    .array(keyCreator)
    .describe('The creators of all active keys, regardless of the filters.'),
  live_keys: z.int().describe('How many active keys the account has.'),
  counted,
});

export type IncidentKeys = z.infer<typeof incidentKeys>;

/**
 * The filters that choose keys. A key must match all of them; without filters, all keys are chosen.
 */
export const choiceFields = {
  created_by: boundedText(200).refine(isPlainText, hiddenCharacterAdvice).optional(),
  created_after: instantField.optional(),
  created_before: instantField.optional(),
  address: boundedText(64, {
    tooLong: 'Use one address or network, in at most 64 characters.',
  })
    .refine(isPlainText, hiddenCharacterAdvice)
    .refine(hasNoSecret, 'Leave tokens and secrets out of the address.')
    .optional(),
};

export const choice = z.strictObject(choiceFields, {
  error: ({ code }) => (code === 'invalid_type' ? 'Use a JSON object.' : undefined),
});

export type IncidentKeyFilters = z.input<typeof choice>;
