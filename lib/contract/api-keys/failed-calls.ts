import { z } from 'zod';
import { rawText } from '../fields/bounded-text.ts';
import { success, timestamp } from '../fields/fields.ts';
import { defineRoute } from '../route.ts';

/** Why a call of a key was refused or failed. */
export const callFailures = [
  'token_ended',
  'network',
  'not_allowed',
  'rate_limit',
  'invalid',
  'failed',
] as const;

export type CallFailure = (typeof callFailures)[number];

const reason = z
  .enum(callFailures)
  .describe(
    '`token_ended`: 401, with a token that has ended. `network`: 403, from an address outside the networks of the key. `not_allowed`: any other 403. `rate_limit`: 429. `invalid`: any other status from 400 to 499. `failed`: 500 and above.',
  );

const failedCall = z.object({
  request_id: z.string(),
  at: timestamp,
  method: z.string(),
  path: z.string().nullable().describe('As in the API description; null if it does not exist.'),
  status: z.int(),
  reason,
  address: z.string(),
  user_agent: z.string().nullable(),
  api_key: z.object({ uuid: z.string(), name: z.string() }),
});

export type FailedCall = z.infer<typeof failedCall>;

const failedCallsOfKey = z.object({
  reasons: z.array(
    z.object({
      reason,
      calls: z
        .int()
        .describe('In the last 24 hours, including the whole hour in which they begin.'),
      by_hour: z.array(z.object({ hour: timestamp, calls: z.int() })).describe('Newest first.'),
      last_at: timestamp,
      last_address: z.string(),
    }),
  ),
  latest: z.array(failedCall).describe('The newest 10, newest first.'),
});

export type FailedCallsOfKey = z.infer<typeof failedCallsOfKey>;

export const listFailedCalls = defineRoute({
  name: 'listFailedCalls',
  method: 'GET',
  path: '/api/dashboard/api-keys/{apiKey}/failed-calls',
  summary: 'List the refused and failed calls of a key',
  description:
    'Counted by reason and hour, with the last address. The newest 1,000 of each key are kept for 30 days with their request ids. They appear within 10 seconds.',
  access: { scope: null, act: 'api-keys.read' },
  response: { 200: success(failedCallsOfKey) },
});

export const findFailedCalls = defineRoute({
  name: 'findFailedCalls',
  method: 'GET',
  path: '/api/dashboard/failed-calls',
  summary: 'Find refused or failed calls of the account by their request id',
  description:
    'At most 10, newest first: clients may send the same `X-Request-Id` more than once. Successful calls are not kept.',
  access: { scope: null, act: 'api-keys.read' },
  query: z.strictObject({
    request_id: rawText(64, { error: 'Enter the ID of a request.' }).regex(
      /^[\w-]{1,64}$/,
      'Use letters, digits, hyphens and underscores.',
    ),
  }),
  response: { 200: success(z.array(failedCall)) },
});
