import { z } from 'zod';
import { noFields, pageQuery, success } from '../fields/fields.ts';
import { defineRoute } from '../route.ts';
import { sampleApiKey, sampleNewApiKey } from '../samples.ts';
import { apiKey } from './api-key.ts';
import { endedApiKeysListed, endedApiKeyStatuses } from './ended-api-keys.ts';
import { createApiKeyInput, revokeApiKeyInput, updateApiKeyInput } from './key-inputs.ts';
import { rotateApiKeyInput, rotatedToken, rotationPreview, token } from './rotation.ts';

const newApiKey = apiKey
  .extend({ token, message: z.string().describe('Tells people to save the token now.') })
  .meta({
    id: 'NewApiKey',
    description: 'A key that was just created, with its token.',
    examples: [sampleNewApiKey],
  });

export const listApiKeys = defineRoute({
  name: 'listApiKeys',
  method: 'GET',
  path: '/api/v1/api-keys',
  summary: 'List API keys',
  description: `Without \`status\`: every active and rotating key and the ${endedApiKeysListed} most recently revoked or expired ones, newest first, all in one response. With \`status\`: every revoked or every expired key, page by page, the most recently ended first.`,
  access: { scope: 'api-keys:read', act: 'api-keys.read' },
  inDashboard: true,
  query: z
    .strictObject({
      status: z
        .enum(endedApiKeyStatuses, { error: 'Use revoked or expired, or omit it.' })
        .optional()
        .describe('Lists only keys with this status, page by page.'),
      cursor: pageQuery.cursor.describe('The `next_cursor` of the previous page. Needs `status`.'),
      limit: pageQuery.limit.describe(
        'The maximum number of keys per page, 1 to 100. Default: 50. Has no effect without `status`.',
      ),
    })
    .refine(({ status, cursor }) => cursor === undefined || status !== undefined, {
      path: ['cursor'],
      message: 'Send the status of the previous page as well.',
    }),
  response: {
    200: success(z.array(apiKey))
      .extend({
        next_cursor: z
          .string()
          .nullable()
          .optional()
          .describe('Only with `status`: the `cursor` of the next page; null on the last page.'),
      })
      .meta({ examples: [{ success: true, data: [sampleApiKey] }] }),
  },
});

export const createApiKey = defineRoute({
  name: 'createApiKey',
  method: 'POST',
  path: '/api/v1/api-keys',
  summary: 'Create an API key',
  description:
    'Only this response contains the token. A key can create, change, rotate and revoke keys only within its own scopes, expiry, networks and rate limit; otherwise the response is 403. Without `scopes`, the new key also gets the scopes that later versions add to its type, so a key that itself has a list of scopes must send one. Unless the operator chose otherwise, an account can have 200 active keys, a key or person may create 60 keys and webhooks an hour, and an account 300.',
  access: { scope: 'api-keys:manage', act: 'api-keys.create' },
  inDashboard: true,
  oneTime: true,
  needsProof: true,
  isCreationLimited: true,
  body: createApiKeyInput,
  onRepeat: 'fresh-secret',
  response: { 201: success(newApiKey) },
});

export const rotateApiKey = defineRoute({
  name: 'rotateApiKey',
  method: 'POST',
  path: '/api/v1/api-keys/{apiKey}/rotate',
  summary: 'Rotate an API key',
  description:
    'Creates a new token for the key and returns it once. The old token stays valid for the grace period, and tokens older than that keep their deadlines. With a grace period of 0, every older token ends immediately; this always succeeds. If the newest token is unconfirmed (shown in the dashboard, but neither confirmed nor used) while an older one is valid, it is replaced: it ends immediately, regardless of the grace period. A key has at most 20 valid tokens; beyond that, the 422 response names the token to end first. `dry_run: true` returns what would happen to each token, fails in the same cases, and changes nothing. For a leaked token, use a grace period of 0: during its grace period, an old token can do everything except create, change, rotate and revoke keys.',
  access: { scope: 'api-keys:manage', act: 'api-keys.rotate' },
  inDashboard: true,
  oneTime: true,
  needsProof: true,
  isExemptFromAccountLimit: true,
  body: rotateApiKeyInput,
  onRepeat: 'fresh-secret',
  response: { 200: success(rotationPreview), 201: success(rotatedToken) },
});

export const getApiKey = defineRoute({
  name: 'getApiKey',
  method: 'GET',
  path: '/api/v1/api-keys/{apiKey}',
  summary: 'Get an API key',
  access: { scope: 'api-keys:read', act: 'api-keys.read' },
  inDashboard: true,
  response: { 200: success(apiKey) },
});

export const updateApiKey = defineRoute({
  name: 'updateApiKey',
  method: 'PATCH',
  path: '/api/v1/api-keys/{apiKey}',
  summary: 'Change an API key',
  description: 'The type of a key cannot be changed. The response contains no token.',
  access: { scope: 'api-keys:manage', act: 'api-keys.update' },
  inDashboard: true,
  needsProof: true,
  body: updateApiKeyInput,
  response: { 200: success(apiKey) },
});

export const revokeApiKey = defineRoute({
  name: 'revokeApiKey',
  method: 'DELETE',
  path: '/api/v1/api-keys/{apiKey}',
  summary: 'Revoke an API key',
  description:
    'Ends all tokens of the key for good. Revoking a key that is already revoked changes nothing.',
  access: { scope: 'api-keys:manage', act: 'api-keys.revoke' },
  inDashboard: true,
  needsProof: true,
  isExemptFromAccountLimit: true,
  body: revokeApiKeyInput,
  response: { 204: null },
});

export const pauseApiKey = defineRoute({
  name: 'pauseApiKey',
  method: 'POST',
  path: '/api/v1/api-keys/{apiKey}/pause',
  summary: 'Pause an API key',
  description:
    'Refuses all calls with the key, with the same 401 as for a revoked key, until it is resumed. Nothing else changes: its tokens keep their deadlines, and it can be rotated, changed and revoked. Pause a key before you revoke it to find out who still needs it. Pausing a paused key changes nothing; a revoked or expired key gets 422.',
  access: { scope: 'api-keys:manage', act: 'api-keys.revoke' },
  inDashboard: true,
  needsProof: true,
  isExemptFromAccountLimit: true,
  body: noFields,
  stateRefusal: { api_key: ['This key is revoked. Create a new one.'] },
  response: { 200: success(apiKey) },
});

export const resumeApiKey = defineRoute({
  name: 'resumeApiKey',
  method: 'POST',
  path: '/api/v1/api-keys/{apiKey}/resume',
  summary: 'Resume a paused API key',
  description:
    'Calls with its valid tokens are accepted again. Resuming a key that is not paused changes nothing; a revoked or expired key gets 422.',
  access: { scope: 'api-keys:manage', act: 'api-keys.create' },
  inDashboard: true,
  needsProof: true,
  body: noFields,
  stateRefusal: { api_key: ['This key is revoked. Create a new one.'] },
  response: { 200: success(apiKey) },
});

export const endPreviousToken = defineRoute({
  name: 'endPreviousToken',
  method: 'DELETE',
  path: '/api/v1/api-keys/{apiKey}/previous-token',
  summary: 'End the previous token immediately',
  description:
    'Ends that token only; end older ones by their ids. If no older token is valid, the response is 404.',
  access: { scope: 'api-keys:manage', act: 'api-keys.end-tokens' },
  needsProof: true,
  isExemptFromAccountLimit: true,
  response: { 204: null },
});

export const endToken = defineRoute({
  name: 'endToken',
  method: 'DELETE',
  path: '/api/v1/api-keys/{apiKey}/tokens/{token}',
  summary: 'End an older token immediately',
  description:
    '`tokens` of the key lists the ids. The newest token cannot be ended this way: rotate the key, or revoke it.',
  access: { scope: 'api-keys:manage', act: 'api-keys.end-tokens' },
  inDashboard: true,
  needsProof: true,
  isExemptFromAccountLimit: true,
  stateRefusal: {
    token: [
      'This is the newest token of the key. Rotate the key with a grace period of 0 to replace it, or revoke the key.',
    ],
  },
  response: { 204: null },
});

export const getCallingApiKey = defineRoute({
  name: 'getCallingApiKey',
  method: 'GET',
  path: '/api/v1/api-key',
  summary: 'Get the key used for the request',
  description: 'Use it to test a token, or to see what it may do and when it ends.',
  access: 'api-key',
  response: { 200: success(apiKey) },
});

export const rotateCallingApiKey = defineRoute({
  name: 'rotateCallingApiKey',
  method: 'POST',
  path: '/api/v1/api-key/rotate',
  summary: 'Rotate the key used for the request',
  description:
    'For a key without `api-keys:manage`, such as the key of a deploy script. It takes no fields. If the `may_rotate_itself` of the key is false, which only an owner or admin can change, in the dashboard, the response is 403. The old token stays valid for the grace period of the installation: 24 hours, unless the operator chose otherwise. While a report that a token of the key may have leaked is open, the response is 422. A token in its grace period can only repeat the rotation that replaced it, with the same `Idempotency-Key`. Owners and admins get an email each time.',
  access: 'api-key',
  oneTime: true,
  body: noFields,
  stateRefusal: {
    api_key: [
      'Someone reported that a token of this key may have leaked, so it cannot rotate itself. An owner or admin of the account must rotate or revoke it, or decline the report.',
    ],
  },
  onRepeat: 'fresh-secret',
  response: { 201: success(rotatedToken) },
});
