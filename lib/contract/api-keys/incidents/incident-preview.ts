import { z } from 'zod';
import { givenUuid, gracePeriodSeconds, timestamp } from '../../fields/fields.ts';
import { incidentAct, keyName } from './incident.ts';

/** The times over which the numbers of calls were counted. */
const counted = z.object({
  hour_from: timestamp.describe('Start of the time over which the calls per hour are counted.'),
  day_from: timestamp.describe(
    'Start of the time over which the calls of the last day are counted.',
  ),
  until: timestamp,
});

export type CountedCalls = z.infer<typeof counted>;

/** An incident takes this many keys at most. */
const maxIncidentKeys = 1000;

const chosenKeys = z
  .array(givenUuid, { error: 'Choose keys.' })
  .min(1, 'Choose at least one key.')
  .max(maxIncidentKeys, `Choose at most ${maxIncidentKeys} keys at a time.`)
  .refine((keys) => new Set(keys).size === keys.length, 'List each key only once.');

export const previewIncidentInput = z.strictObject({
  act: incidentAct,
  grace_period_seconds: gracePeriodSeconds
    .optional()
    .describe('For a rotation: how long the newest tokens stay valid. Default: 0.'),
  keys: chosenKeys,
});

export type PreviewIncidentInput = z.input<typeof previewIncidentInput>;

const previewedKey = z.object({
  ...keyName,
  skip_reason: z
    .string()
    .nullable()
    .describe('Why the key would be skipped; null if it would not.'),
  live_tokens: z.int(),
  tokens_ending_now: z
    .int()
    .describe('How many would stop working immediately; a pause stops them all.'),
  tokens_ending_later: z.int().describe('How many would end once their grace period is over.'),
  calls_per_hour: z.int(),
  calls_ending_now: z
    .int()
    .describe('Calls per hour with the tokens that would stop working immediately.'),
  calls_ending_later: z.int().describe('Calls per hour with those that would end later.'),
  calls_last_day: z.int().describe('Calls in the last day with all tokens that would end.'),
  is_in_use: z.boolean(),
});

export type PreviewedKey = z.infer<typeof previewedKey>;

export const incidentPreview = z.object({
  keys: z.array(previewedKey),
  totals: z.object({
    keys: z.int().describe('How many keys would be changed.'),
    skipped: z.int(),
    live_tokens: z.int(),
    tokens_ending_now: z.int(),
    tokens_ending_later: z.int(),
    calls_ending_now: z.int(),
    calls_ending_later: z.int(),
    calls_last_day: z.int(),
    keys_in_use: z.int(),
  }),
  counted,
});

export type IncidentPreview = z.infer<typeof incidentPreview>;
