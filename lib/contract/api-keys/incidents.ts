import { z } from 'zod';
import { boundedText, rawText } from '../fields/bounded-text.ts';
import {
  givenUuid,
  gracePeriodSeconds,
  shortText,
  success,
  timestamp,
  uuid,
} from '../fields/fields.ts';
import { instantField } from '../fields/instants.ts';
import { hasNoSecret, hiddenCharacterAdvice, isPlainText } from '../fields/plain-text.ts';
import { defineRoute } from '../route.ts';
import { actorReference } from '../fields/actor-reference.ts';
import { incidentActs } from './incident-words.ts';
import { keyDetails } from './key-details.ts';
import { keyTypes } from './key-types.ts';

/**
 * An incident: many keys of an account are rotated or revoked at once, because a laptop was stolen,
 * somebody left, or tokens appeared where they should not. The service works through the keys by
 * itself, one transaction for each, whether or not somebody watches.
 */
/** A run takes this many keys at most. */
const maxIncidentKeys = 1000;

const act = z.enum(incidentActs, { error: 'Use rotate or revoke.' });

const keyName = { uuid, name: z.string(), last_four: z.string().length(4) };

/** The times over which the numbers of calls were counted. */
const counted = z.object({
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
    .describe('When the newest token was made; null if the key was never rotated.'),
  responsible: keyDetails.responsible,
  last_used_at: timestamp
    .nullable()
    .describe('When a valid token of the key was last used; null if none was.'),
  last_used_ip: z.string().nullable(),
  live_tokens: z.int().describe('How many tokens of it are valid now.'),
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

const incidentKeys = z.object({
  keys: z.array(incidentKey),
  creators: z.array(keyCreator).describe('The creators of all active keys, whatever the filters.'),
  live_keys: z.int().describe('How many active keys the account has.'),
  counted,
});

export type IncidentKeys = z.infer<typeof incidentKeys>;

/**
 * The filters that choose keys. A key must match all of them; without filters, all keys are chosen.
 */
const choiceFields = {
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

const choice = z.strictObject(choiceFields, {
  error: ({ code }) => (code === 'invalid_type' ? 'Give a JSON object.' : undefined),
});

export type IncidentKeyFilters = z.input<typeof choice>;

export const listIncidentKeys = defineRoute({
  name: 'listIncidentKeys',
  method: 'GET',
  path: '/api/dashboard/incident-keys',
  summary: 'List the active keys that an incident would be about',
  description:
    'Filters by who created them, when, and the address or network from which one of their valid tokens was used in the last 30 days or was last used. For owners and admins.',
  access: { scope: null, act: 'api-keys.revoke' },
  query: z.object(choiceFields),
  response: { 200: success(incidentKeys) },
});

const chosenKeys = z
  .array(givenUuid, { error: 'Choose keys.' })
  .min(1, 'Choose at least one key.')
  .max(maxIncidentKeys, `Choose at most ${maxIncidentKeys} keys at a time.`)
  .refine((keys) => new Set(keys).size === keys.length, 'Give each key once.');

export const previewIncidentInput = z.strictObject({
  act,
  grace_period_seconds: gracePeriodSeconds
    .optional()
    .describe('For a rotation: for how long the newest tokens stay valid. 0 if left out.'),
  keys: chosenKeys,
});

export type PreviewIncidentInput = z.input<typeof previewIncidentInput>;

const previewedKey = z.object({
  ...keyName,
  skip_reason: z
    .string()
    .nullable()
    .describe('Why nothing would be done to the key; null if something would.'),
  live_tokens: z.int(),
  tokens_ending_now: z.int(),
  tokens_ending_later: z.int().describe('How many would end once their grace period is over.'),
  calls_per_hour: z.int(),
  calls_ending_now: z.int().describe('Calls per hour with the tokens that would end at once.'),
  calls_ending_later: z.int().describe('Calls per hour with those that would end later.'),
  calls_last_day: z.int().describe('Calls in the last day with all tokens that would end.'),
  is_in_use: z.boolean(),
});

export type PreviewedKey = z.infer<typeof previewedKey>;

const incidentPreview = z.object({
  keys: z.array(previewedKey),
  totals: z.object({
    keys: z.int().describe('How many keys would be rotated or revoked.'),
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

export const previewIncident = defineRoute({
  name: 'previewIncident',
  method: 'POST',
  path: '/api/dashboard/incident-preview',
  summary: 'Preview what rotating or revoking many keys would end',
  description: 'Changes nothing, so it needs no proof.',
  access: { scope: null, act: 'api-keys.revoke' },
  body: previewIncidentInput,
  response: { 200: success(incidentPreview) },
});

export const startIncidentInput = previewIncidentInput.extend({
  reason: shortText('Say what happened, in 1 to 100 characters.').refine(
    hasNoSecret,
    'Leave tokens and secrets out of the reason.',
  ),
  choice: choice.describe('How the keys were chosen.'),
  confirmation: rawText(100, { error: 'Type the words shown.' }).describe(
    'The words that `incidentConfirmation` returns.',
  ),
});

export type StartIncidentInput = z.input<typeof startIncidentInput>;

/**
 * `running`: some keys wait. `cancelled`: somebody cancelled it, and the keys that waited stay as
 * they are.
 */
const incidentStates = ['running', 'done', 'cancelled'] as const;

/**
 * The result for one key. `skipped`: there was nothing to do, or the person may not do it.
 * `failed`: an error prevented it; temporary errors are tried again at first. `cancelled`: the
 * incident was cancelled before its turn.
 */
export const incidentResults = ['waiting', 'done', 'skipped', 'failed', 'cancelled'] as const;

export type IncidentResult = (typeof incidentResults)[number];

const incident = z.object({
  uuid,
  act,
  grace_period_seconds: z.int().nullable().describe('Null for a revocation.'),
  reason: z.string(),
  choice: z.object({
    created_by: z.string().nullable().describe('The name of the creator.'),
    created_after: timestamp.nullable(),
    created_before: timestamp.nullable(),
    address: z.string().nullable(),
  }),
  state: z.enum(incidentStates),
  created_at: timestamp,
  created_by: actorReference,
  finished_at: timestamp.nullable(),
  cancelled_by: actorReference.nullable(),
  counts: z.record(z.enum(incidentResults), z.int()).describe('How many keys have each result.'),
});

export type Incident = z.infer<typeof incident>;

const incidentWithKeys = incident.extend({
  keys: z.array(
    z.object({
      ...keyName,
      last_four: keyName.last_four.describe(
        'The last four characters of the newest token when the incident began.',
      ),
      result: z.enum(incidentResults),
      problem: z.string().nullable().describe('Why it was skipped or failed.'),
      at: timestamp.nullable(),
    }),
  ),
});

export type IncidentWithKeys = z.infer<typeof incidentWithKeys>;

export const startIncident = defineRoute({
  name: 'startIncident',
  method: 'POST',
  path: '/api/dashboard/incidents',
  summary: 'Rotate or revoke many keys',
  description:
    'Returns immediately; the service then processes one key after the other. An account has one incident at a time. New tokens are shown to nobody: each is unconfirmed until somebody replaces it with one that they are shown. Counts as one call, and not as creations.',
  access: { scope: null, act: 'api-keys.revoke' },
  needsProof: true,
  body: startIncidentInput,
  response: { 201: success(incidentWithKeys) },
});

export const listIncidents = defineRoute({
  name: 'listIncidents',
  method: 'GET',
  path: '/api/dashboard/incidents',
  summary: 'List the latest 20 incidents, newest first',
  access: { scope: null, act: 'api-keys.revoke' },
  response: { 200: success(z.array(incident)) },
});

export const getIncident = defineRoute({
  name: 'getIncident',
  method: 'GET',
  path: '/api/dashboard/incidents/{incident}',
  summary: 'Get an incident and the result for each of its keys',
  access: { scope: null, act: 'api-keys.revoke' },
  response: { 200: success(incidentWithKeys) },
});

export const cancelIncident = defineRoute({
  name: 'cancelIncident',
  method: 'POST',
  path: '/api/dashboard/incidents/{incident}/cancel',
  summary: 'Cancel an incident: keys that still wait stay as they are',
  description:
    'Keys that were rotated or revoked stay so. An incident that has ended does not change.',
  access: { scope: null, act: 'api-keys.revoke' },
  response: { 200: success(incidentWithKeys) },
});
