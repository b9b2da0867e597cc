import { z } from 'zod';
import { id, success, timestamp } from '../fields/fields.ts';
import { instantField } from '../fields/instants.ts';
import { defineRoute } from '../route.ts';

/** How many days after its rotation an old token can work at most, if its time is extended. */
export const maxExtensionDays = 30;

/** Whether an old token can be ended without stopping a client, as far as its calls tell. */
export const endingVerdicts = [
  'in_use',
  'new_token_unused',
  'used_recently',
  'may_be_pausing',
  'safe_to_end',
] as const;

export type EndingVerdict = (typeof endingVerdicts)[number];

const tokenUse = z
  .object({
    id: id.describe('Integer id of the token.'),
    last_four: z.string().length(4).describe('The last four characters of the token.'),
    created_at: timestamp.describe('When the token was created.'),
    replaced_at: timestamp
      .nullable()
      .describe('When a rotation replaced it; null for the newest token.'),
    valid_until: timestamp.nullable().describe('When it stops working; null for the newest token.'),
    extendable_until: timestamp
      .nullable()
      .describe(
        `Until when its time can be extended: ${maxExtensionDays} days after the rotation, or until the key expires. Null if it cannot be extended, for example because it may have leaked.`,
      ),
    first_used_at: timestamp
      .nullable()
      .describe('When the first call with it was accepted; null if none was.'),
    last_call_at: timestamp
      .nullable()
      .describe('When the last call with it was made; null if none.'),
    last_call_from: z.string().nullable().describe('The address of that call, if it is known.'),
    calls_last_hour: z.int().describe('How many calls were made with it in the last 60 minutes.'),
    addresses_last_hour: z.int().describe('From how many addresses, 50 at most.'),
    longest_pause_seconds: z
      .int()
      .describe('The longest time between two calls in the last 30 days; 0 without two calls.'),
    hours: z
      .array(z.int())
      .describe('The calls in each of the last 24 hours, oldest first. The last is still filling.'),
    callers: z
      .array(
        z.object({
          address: z.string().describe('The address of the client.'),
          user_agent: z.string().nullable().describe('Its `User-Agent`; null if it had none.'),
          last_seen_at: timestamp.describe('When its last call was made.'),
          last_method: z.string().describe('The HTTP method of that call.'),
          last_path: z
            .string()
            .nullable()
            .describe('The path of that call, as in this description; null if it does not exist.'),
          last_status: z.int().describe('The HTTP status of its response.'),
          calls: z.int().describe('How many calls it made in the last 24 hours.'),
        }),
      )
      .describe('Who called with it in the last 24 hours, the latest first, 10 at most.'),
    verdict: z
      .enum(endingVerdicts)
      .nullable()
      .describe(
        'Whether it can be ended; null for the newest token. `in_use`: it was used in the last hour. `new_token_unused`: nobody has used the newest token. `used_recently`: its last call was less than 6 hours ago. `may_be_pausing`: it had no call for 6 hours, but its longest pause was longer than that. `safe_to_end`: the newest token is used, and this one had no call for 6 hours and for longer than its longest pause.',
      ),
  })
  .meta({
    id: 'TokenUse',
    description: 'How a valid token of a key is used, without the token itself.',
    examples: [
      {
        id: 9,
        last_four: 'x9Qa',
        created_at: '2026-08-03T08:12:40.501+00:00',
        replaced_at: '2026-11-20T00:29:17.123+00:00',
        valid_until: '2026-11-21T00:29:17.123+00:00',
        extendable_until: '2026-12-20T00:29:17.123+00:00',
        first_used_at: '2026-08-03T09:00:00.000+00:00',
        last_call_at: '2026-11-20T04:28:01.000+00:00',
        last_call_from: '203.0.113.7',
        calls_last_hour: 0,
        addresses_last_hour: 0,
        longest_pause_seconds: 3601,
        hours: [],
        callers: [],
        verdict: 'safe_to_end',
      },
    ],
  });

export type TokenUse = z.infer<typeof tokenUse>;

export const listTokenUse = defineRoute({
  name: 'listTokenUse',
  method: 'GET',
  path: '/api/v1/api-keys/{apiKey}/tokens',
  summary: 'List the valid tokens of a key with their use',
  description:
    'Newest first; empty for a revoked or expired key. During a rotation, `verdict` shows whether an old token can be ended. A call counts within 10 seconds.',
  access: { scope: 'api-keys:read', act: 'api-keys.read' },
  inDashboard: true,
  response: { 200: success(z.array(tokenUse)) },
});

export const extendToken = defineRoute({
  name: 'extendToken',
  method: 'PATCH',
  path: '/api/v1/api-keys/{apiKey}/tokens/{token}',
  summary: 'Extend the time of an old token',
  description: `To at most ${maxExtensionDays} days after the rotation that replaced it, and not past the end of the key. A token that may have leaked cannot be extended.`,
  access: { scope: 'api-keys:manage', act: 'api-keys.extend-tokens' },
  inDashboard: true,
  needsProof: true,
  body: z
    .strictObject({
      valid_until: instantField.describe('The new end, later than the present one.'),
    })
    .meta({ examples: [{ valid_until: '2026-11-27T00:00:00+00:00' }] }),
  response: { 204: null },
});

const oldToken = tokenUse.extend({
  api_key: z.object({ uuid: z.string(), name: z.string() }),
});

export type OldToken = z.infer<typeof oldToken>;

export const listOldTokens = defineRoute({
  name: 'listOldTokens',
  method: 'GET',
  path: '/api/dashboard/old-tokens',
  summary: 'List the old tokens of the account that still work',
  description: 'Those that can be ended first, then those that end first.',
  access: { scope: null, act: 'api-keys.read' },
  response: { 200: success(z.array(oldToken)) },
});
