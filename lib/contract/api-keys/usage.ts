import { z } from 'zod';
import { success, timestamp, uuid } from '../fields/fields.ts';
import { defineRoute } from '../route.ts';
import { callOutcomes, type CallOutcome } from './call-outcomes.ts';
import { callProblems } from './call-problems.ts';
import { scope } from './api-key.ts';
import { keysOf } from '#lib/object-keys.ts';

/** The windows in which calls of a key are counted. Buckets begin at whole hours or days in UTC. */
export const usageWindows = {
  '24h': { bucketSeconds: 3600, bucketCount: 24 },
  '7d': { bucketSeconds: 21_600, bucketCount: 28 },
  '30d': { bucketSeconds: 86_400, bucketCount: 30 },
} as const;

export type UsageWindow = keyof typeof usageWindows;

const windows = keysOf(usageWindows);

/** How many callers of a key are told apart in an hour. The calls of further ones are added up. */
export const maxCallersPerHour = 50;

/** How many characters of a user agent are kept for a caller. */
export const maxAgentLength = 100;

const calls = z.int().min(0);

const outcomeTexts: Record<CallOutcome, string> = {
  succeeded: 'Calls with a 2xx or 3xx status.',
  client_error: 'Calls with a 4xx status, except those that are `limited` or `refused`.',
  limited: 'Calls over a rate limit (429).',
  refused:
    'Calls with a token that has ended or while the key was paused (401), or that the key may not make (403).',
  failed: 'Calls that failed in the service (5xx).',
};

const callCounts = z.object(
  Object.fromEntries(
    callOutcomes.map((outcome) => [outcome, calls.describe(outcomeTexts[outcome])]),
  ) as Record<CallOutcome, typeof calls>,
);

export type CallCounts = z.infer<typeof callCounts>;

const calledRoute = {
  method: z.string().describe('The HTTP method.'),
  path: z
    .string()
    .nullable()
    .describe('The path as in this description; null if it does not exist.'),
};

const refusal = z.object({
  reason: z
    .enum(callProblems)
    .describe(
      '`error.reason` of the responses; otherwise, for example, `token_ended` or `key_paused` (401) or `not_found` (404).',
    ),
  status: z.int().describe('The HTTP status of the responses.'),
  required_scope: scope
    .nullable()
    .describe('With the reason `scope`: the scope that the key lacks.'),
  address: z
    .string()
    .nullable()
    .describe('With the reason `network`: the address that is outside the networks of the key.'),
  token_last_four: z
    .string()
    .nullable()
    .describe('With the reason `token_ended`: the last four characters of that token.'),
  calls: calls.describe('How many calls.'),
  last_at: timestamp.describe('When the latest was made.'),
  last_address: z.string().describe('The address from which it was made.'),
  ...calledRoute,
  method: calledRoute.method.describe('The HTTP method of the route with most of these calls.'),
  path: calledRoute.path.describe(
    'The path of the route with most of these calls, as in this description; null if it does not exist.',
  ),
  buckets: z
    .array(
      z.object({
        start: timestamp.describe('Start of the bucket.'),
        calls: calls.describe('How many of the calls were made in it.'),
      }),
    )
    .describe('The buckets with such calls, oldest first.'),
});

export type CallRefusal = z.infer<typeof refusal>;

const tokenStates = ['newest', 'old', 'ended'] as const;

const caller = z.object({
  address: z.string().describe('The address of the client.'),
  user_agent: z
    .string()
    .nullable()
    .describe(`Its \`User-Agent\`, at most ${maxAgentLength} characters; null if it had none.`),
  token: z
    .object({
      last_four: z.string().describe('The last four characters of the token.'),
      state: z
        .enum(tokenStates)
        .describe('`old`: it was replaced and still works. `ended`: it no longer works.'),
    })
    .describe('The token with which it called.'),
  first_seen_at: timestamp.describe('When its first call in the last 30 days was made.'),
  last_seen_at: timestamp.describe('When its latest call was made.'),
  calls: calls.describe('How many calls it made in the window.'),
});

export type KeyCaller = z.infer<typeof caller>;

const headroom = z.object({
  limit: z.int().describe('How many calls a minute are allowed.'),
  busiest: calls.describe('Calls in the busiest minute, refused ones over the limit included.'),
  usual: calls.describe('In 99 of 100 minutes with calls, there were no more than these.'),
  minutes_at_limit: calls.describe('In how many minutes the calls reached the limit.'),
});

export type Headroom = z.infer<typeof headroom>;

const sampleCounts = { succeeded: 309, client_error: 0, limited: 352, refused: 12, failed: 0 };

const apiKeyUsage = z
  .object({
    window: z.enum(windows).describe('The requested window.'),
    since: timestamp.describe('Start of the first bucket.'),
    bucket_seconds: z.int().describe('How many seconds a bucket covers.'),
    totals: callCounts.describe('The calls of the whole window.'),
    buckets: z
      .array(callCounts.extend({ start: timestamp.describe('Start of the bucket.') }))
      .describe(
        'The calls of each part of the window, oldest first. The last bucket is still filling.',
      ),
    routes: z
      .array(
        callCounts.extend({
          ...calledRoute,
          required_scope: scope
            .nullable()
            .describe('The scope that its calls need; null if they need none.'),
          last_accepted_at: timestamp
            .nullable()
            .describe(
              'When its latest call was made that was neither `refused` nor `limited`; null if there was none.',
            ),
        }),
      )
      .describe('The calls of each route, the most called first.'),
    refusals: z
      .array(refusal)
      .describe('The calls that did not succeed, by what would fix them, the most frequent first.'),
    callers: z
      .array(caller)
      .describe(
        `Who called: address, user agent and token, the most frequent first, at most ${maxCallersPerHour}.`,
      ),
    other_callers: calls.describe(
      `Calls of further callers: at most ${maxCallersPerHour} of a key are told apart in an hour.`,
    ),
    headroom: z
      .object({
        api_key: headroom.describe('The calls of this key.'),
        account: headroom.describe('The calls of all keys of the account.'),
      })
      .describe('How close the calls of the last 24 hours came to the rate limits.'),
  })
  .meta({
    id: 'ApiKeyUsage',
    description: 'What a key did in a window of time.',
    examples: [
      {
        window: '24h',
        since: '2026-11-19T11:00:00.000+00:00',
        bucket_seconds: 3600,
        totals: sampleCounts,
        buckets: [{ ...sampleCounts, start: '2026-11-20T10:00:00.000+00:00' }],
        routes: [
          {
            ...sampleCounts,
            method: 'GET',
            path: '/api/v1/webhooks',
            required_scope: 'webhooks:read',
            last_accepted_at: '2026-11-20T10:31:00.000+00:00',
          },
        ],
        refusals: [
          {
            reason: 'scope',
            status: 403,
            required_scope: 'webhooks:manage',
            address: null,
            token_last_four: null,
            calls: 12,
            last_at: '2026-11-20T10:29:17.123+00:00',
            last_address: '203.0.113.52',
            method: 'POST',
            path: '/api/v1/webhooks',
            buckets: [{ start: '2026-11-20T10:00:00.000+00:00', calls: 12 }],
          },
        ],
        callers: [
          {
            address: '203.0.113.51',
            user_agent: 'warehouse-import/2.4 node/24',
            token: { last_four: 'K2pw', state: 'newest' },
            first_seen_at: '2026-11-20T00:58:03.000+00:00',
            last_seen_at: '2026-11-20T10:31:00.000+00:00',
            calls: 673,
          },
        ],
        other_callers: 0,
        headroom: {
          api_key: { limit: 600, busiest: 640, usual: 212, minutes_at_limit: 14 },
          account: { limit: 6000, busiest: 2310, usual: 1480, minutes_at_limit: 0 },
        },
      },
    ],
  });

export type ApiKeyUsage = z.infer<typeof apiKeyUsage>;

export const getApiKeyUsage = defineRoute({
  name: 'getApiKeyUsage',
  method: 'GET',
  path: '/api/v1/api-keys/{apiKey}/usage',
  summary: 'Count the calls of an API key',
  description:
    'By outcome, route, caller and reason. Calls with tokens that have ended count for the key to which they belonged. Counts are kept for 30 days, and a call is counted within 10 seconds.',
  access: { scope: 'api-keys:read', act: 'api-keys.read' },
  inDashboard: true,
  query: z.strictObject({
    window: z
      .enum(windows, { error: `Use one of: ${windows.join(', ')}.` })
      .default('24h')
      .describe(
        'How far back to count: `24h` in buckets of an hour, `7d` of 6 hours, `30d` of a day. Default: `24h`.',
      ),
  }),
  response: { 200: success(apiKeyUsage) },
});

const callsOfKey = z.object({
  uuid: uuid.describe('The key.'),
  hours: z.array(callCounts).describe('The calls of the last 24 hours, oldest first.'),
});

export type CallsOfKey = z.infer<typeof callsOfKey>;

export const listCallsOfKeys = defineRoute({
  name: 'listCallsOfKeys',
  method: 'GET',
  path: '/api/dashboard/api-key-calls',
  summary: 'Count the calls of every key by hour',
  description:
    'In the last 24 hours; the last hour is still filling. Keys without calls are omitted.',
  access: { scope: null, act: 'api-keys.read' },
  response: { 200: success(z.array(callsOfKey)) },
});
