import { z } from 'zod';
import { rawText } from '../fields/bounded-text.ts';
import { success, timestamp } from '../fields/fields.ts';
import { defineRoute } from '../route.ts';
import { callProblems } from './call-problems.ts';

const failedCall = z.object({
  request_id: z.string(),
  at: timestamp,
  method: z.string(),
  path: z.string().nullable().describe('As in the API description; null if it does not exist.'),
  status: z.int(),
  reason: z
    .enum(callProblems)
    .describe('`error.reason` of the response, or `token_ended` for a token that has ended.'),
  address: z.string(),
  user_agent: z.string().nullable(),
  api_key: z.object({ uuid: z.string(), name: z.string() }),
});

export type FailedCall = z.infer<typeof failedCall>;

export const listFailedCalls = defineRoute({
  name: 'listFailedCalls',
  method: 'GET',
  path: '/api/dashboard/api-keys/{apiKey}/failed-calls',
  summary: 'List the latest refused and failed calls of a key',
  description:
    'The newest 10, newest first. The newest 1,000 of each key are kept for 30 days with their request ids. They appear within 10 seconds.',
  access: { scope: null, act: 'api-keys.read' },
  response: { 200: success(z.array(failedCall)) },
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
