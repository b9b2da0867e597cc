import { z } from 'zod';
import { boundedText, rawText } from './bounded-text.ts';
import { endedApiKeysListed, endedApiKeyStatuses } from './ended-api-keys.ts';
import {
  gracePeriodSeconds,
  id,
  instant,
  isPlainText,
  name,
  pageQuery,
  success,
  timestamp,
  uuid,
} from './fields.ts';
import { keyTypes, scopeProblems } from './key-types.ts';
import { defineRoute } from './route.ts';
import {
  sampleActor,
  sampleApiKey,
  sampleApiKeyToken,
  sampleNewApiKey,
  sampleRotation,
  sampleRotationPreview,
} from './samples.ts';
import { allScopes } from './scopes.ts';

const scope = z
  .enum(allScopes, { error: `Use scopes out of: ${allScopes.join(', ')}.` })
  .meta({ id: 'Scope', description: 'What a key may do. `X:manage` includes `X:read`.' });

const keyType = z.enum(keyTypes, { error: `Use one of: ${keyTypes.join(', ')}.` }).meta({
  id: 'KeyType',
  description:
    '`full`: all scopes, unless some are given. `limited`: the scopes given. `webhook`: webhook scopes only. `bot`: bot scopes only.',
});

const scopeList = z
  .array(scope, { error: 'Give a list of scopes.' })
  .min(1, 'Give at least one scope, or leave the field out for all scopes of the type.')
  .max(allScopes.length, 'A scope stands here twice.')
  .refine((scopes) => new Set(scopes).size === scopes.length, 'A scope stands here twice.')
  .meta({ uniqueItems: true });

const allowedCidrs = z
  .array(boundedText(64, { tooLong: 'A network has at most 64 characters.' }), {
    error: 'Give a list of networks, as 203.0.113.0/24.',
  })
  .max(50, 'Give at most 50 networks.')
  .describe('IPv4 and IPv6 networks the key may be used from; empty means any.');

const reason = rawText(2000, {
  error: 'Give the reason as text.',
  tooLong: 'Use at most 200 characters.',
})
  .transform((text) => text.normalize('NFC').trim())
  .pipe(
    z
      .string()
      .min(1, 'Give a reason of 1 to 200 characters, or leave it out.')
      .max(200, 'Use at most 200 characters.')
      .refine(isPlainText, 'Remove control, text-direction and zero-width characters.'),
  )
  .describe('1 to 200 characters, trimmed.');

/** Who did something: a member, an API key, or the service itself. */
export const actorReference = z
  .object({
    kind: z.enum(['person', 'api_key', 'system']),
    id: z.string().nullable(),
    name: z.string(),
  })
  .meta({ id: 'Actor', examples: [sampleActor] });

/** One valid token of a key; never the token itself. */
const apiKeyToken = z
  .object({
    id,
    last_four: z.string().length(4),
    created_at: timestamp,
    created_by: actorReference,
    valid_until: timestamp
      .nullable()
      .describe('When it stops working; null for the newest, which works as long as the key does.'),
    last_used_at: timestamp.nullable(),
  })
  .meta({ id: 'ApiKeyToken', examples: [sampleApiKeyToken] });

export type ApiKeyToken = z.infer<typeof apiKeyToken>;

export const apiKeyStatuses = ['active', 'rotating', 'expired', 'revoked'] as const;

export const apiKey = z
  .object({
    id,
    uuid,
    name: z.string(),
    type: keyType,
    scopes: z.array(scope).describe('The effective scopes, implied ones included.'),
    last_four: z.string().length(4).describe('Last four characters of the newest token.'),
    status: z
      .enum(apiKeyStatuses)
      .describe('`rotating`: an older token is still valid beside the newest.'),
    created_at: timestamp,
    created_by: actorReference.nullable(),
    rotated_at: timestamp
      .nullable()
      .describe('When the newest token was made; null while it is the one the key began with.'),
    expires_at: timestamp.nullable(),
    last_used_at: timestamp.nullable(),
    last_used_ip: z.string().nullable(),
    revoked_at: timestamp.nullable(),
    revoked_by: actorReference.nullable(),
    revoked_reason: z.string().nullable(),
    allowed_cidrs: z.array(z.string()),
    previous_token: z
      .object({
        last_four: z.string().length(4),
        replaced_at: timestamp.describe('When the newest token was made.'),
        valid_until: timestamp,
        last_used_at: timestamp.nullable(),
      })
      .nullable()
      .describe('The token before the newest, while it is still valid.'),
    tokens: z
      .array(apiKeyToken)
      .describe('Every token that is valid now, newest first; none of a revoked or expired key.'),
  })
  .meta({ id: 'ApiKey', examples: [sampleApiKey] });

export type ApiKey = z.infer<typeof apiKey>;

const token = z
  .string()
  .regex(/^sk_live_[0-9A-Za-z]{38}$/)
  .describe('The token. This is the only answer that carries it.');

export const createApiKeyInput = z
  .strictObject({
    name,
    type: keyType,
    scopes: scopeList.optional(),
    expires_at: instant.nullable().optional(),
    allowed_cidrs: allowedCidrs.optional(),
  })
  .superRefine(({ type, scopes }, context) => {
    for (const message of scopeProblems(type, scopes ?? null)) {
      context.addIssue({ code: 'custom', path: ['scopes'], message });
    }
  })
  .meta({
    id: 'CreateApiKeyInput',
    examples: [
      {
        name: sampleApiKey.name,
        type: 'limited',
        scopes: ['conversations:read', 'webhooks:manage'],
        expires_at: '2027-08-03T00:00:00+00:00',
        allowed_cidrs: sampleApiKey.allowed_cidrs,
      },
    ],
  });

export type CreateApiKeyInput = z.input<typeof createApiKeyInput>;

/** How to rotate. */
export const rotationInput = z.strictObject({
  grace_period_seconds: gracePeriodSeconds.optional(),
  expected_last_four: rawText(8, {
    error: 'Use the last four characters of the token.',
    tooLong: 'Use the last four characters of the token.',
  })
    .length(4, 'Use the last four characters of the token.')
    .optional()
    .describe('Rotates only if the newest token still ends so; else nothing changes.'),
});

export type RotationInput = z.input<typeof rotationInput>;

const rotateApiKeyInput = rotationInput
  .extend({
    dry_run: z
      .boolean({ error: 'Use true or false.' })
      .optional()
      .describe('Answers 200 with what a rotation would do to each valid token; changes nothing.'),
  })
  .meta({ id: 'RotateApiKeyInput', examples: [{ grace_period_seconds: 86_400 }] });

export const updateApiKeyInput = z
  .strictObject({
    name: name.optional(),
    scopes: scopeList
      .nullable()
      .optional()
      .describe('null: every scope of the type, future ones included.'),
    expires_at: instant.nullable().optional(),
    allowed_cidrs: allowedCidrs.optional(),
  })
  .refine((input) => Object.keys(input).length > 0, {
    message: 'Give at least one field to change.',
  })
  .meta({
    id: 'UpdateApiKeyInput',
    minProperties: 1,
    examples: [{ name: sampleApiKey.name, allowed_cidrs: sampleApiKey.allowed_cidrs }],
  });

export type UpdateApiKeyInput = z.input<typeof updateApiKeyInput>;

export const revokeApiKeyInput = z
  .strictObject({ reason: reason.nullable().optional() })
  .meta({ id: 'RevokeApiKeyInput', examples: [{ reason: 'Found in a public repository' }] });

const newApiKey = apiKey
  .extend({ token, message: z.string() })
  .meta({ id: 'NewApiKey', examples: [sampleNewApiKey] });

export const rotatedToken = z
  .object({
    token,
    message: z.string().describe('Says until when the old token is valid; of several, each.'),
  })
  .meta({ id: 'RotatedToken', examples: [sampleRotation] });

const rotationPreview = z
  .object({
    tokens: z
      .array(
        z.object({
          last_four: z.string().length(4),
          valid_until: timestamp
            .nullable()
            .describe('Until when the token would stay valid; null if it would end at once.'),
          ends_now: z.boolean(),
        }),
      )
      .describe('Every token that is valid now, newest first.'),
  })
  .meta({ id: 'RotationPreview', examples: [sampleRotationPreview] });

export type RotationPreview = z.infer<typeof rotationPreview>;

export type RevokeApiKeyInput = z.input<typeof revokeApiKeyInput>;

export const listApiKeys = defineRoute({
  name: 'listApiKeys',
  method: 'GET',
  path: '/api/v1/api-keys',
  summary: 'List API keys',
  description: `Without \`status\`: every active and rotating key and the ${endedApiKeysListed} most recently revoked or expired ones, newest first, all in one answer. With \`status\`: every revoked or every expired key, page by page, the most recently ended first.`,
  access: { scope: 'api-keys:read', act: 'api-keys.read' },
  query: z
    .object({
      status: z
        .enum(endedApiKeyStatuses, { error: 'Use revoked or expired, or leave it out.' })
        .optional()
        .describe('Lists only keys with this status, page by page.'),
      cursor: pageQuery.cursor.describe('The `next_cursor` of the previous page. Needs `status`.'),
      limit: pageQuery.limit.describe(
        'How many keys a page holds at most. Has no effect without `status`.',
      ),
    })
    .refine(({ status, cursor }) => cursor === undefined || status !== undefined, {
      path: ['cursor'],
      message: 'Send the status of the previous page as well.',
    }),
  reply: {
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
    'The answer is the only one that carries the token. A key makes keys within its own scopes, expiry and networks only. An account has at most 200 live keys. Unless the operator chose otherwise, a key or person may create 60 keys and webhooks an hour, and an account 300.',
  access: { scope: 'api-keys:manage', act: 'api-keys.create' },
  needsProof: true,
  isCreationLimited: true,
  body: createApiKeyInput,
  onRepeat: 'fresh-secret',
  reply: { 201: success(newApiKey) },
});

export const rotateApiKey = defineRoute({
  name: 'rotateApiKey',
  method: 'POST',
  path: '/api/v1/api-keys/{apiKey}/rotate',
  summary: 'Rotate an API key',
  description:
    'Makes a new token for the key and answers it once. The old token stays valid for the grace period, and tokens older than that keep the deadlines they were given. With a grace period of 0 every older token ends at once, which always succeeds. If the newest token was never used while an older one is valid, it is replaced: it ends at once, whatever the grace period. A key has at most 20 valid tokens; beyond that, 422 says which to end first. `dry_run: true` says what would become of each token, with the same refusals, and changes nothing. For a leaked token use a grace period of 0: until its grace ends, an old token may do everything but create, change, rotate and revoke keys.',
  access: { scope: 'api-keys:manage', act: 'api-keys.rotate' },
  needsProof: true,
  isExemptFromAccountLimit: true,
  body: rotateApiKeyInput,
  onRepeat: 'fresh-secret',
  reply: { 200: success(rotationPreview), 201: success(rotatedToken) },
});

export const getApiKey = defineRoute({
  name: 'getApiKey',
  method: 'GET',
  path: '/api/v1/api-keys/{apiKey}',
  summary: 'Get an API key',
  access: { scope: 'api-keys:read', act: 'api-keys.read' },
  reply: { 200: success(apiKey) },
});

export const updateApiKey = defineRoute({
  name: 'updateApiKey',
  method: 'PATCH',
  path: '/api/v1/api-keys/{apiKey}',
  summary: 'Change an API key',
  description: 'Its type never changes. The answer carries no token.',
  access: { scope: 'api-keys:manage', act: 'api-keys.update' },
  needsProof: true,
  body: updateApiKeyInput,
  reply: { 200: success(apiKey) },
});

export const revokeApiKey = defineRoute({
  name: 'revokeApiKey',
  method: 'DELETE',
  path: '/api/v1/api-keys/{apiKey}',
  summary: 'Revoke an API key',
  description: 'Ends all tokens of the key for good. Again, it changes nothing.',
  access: { scope: 'api-keys:manage', act: 'api-keys.revoke' },
  needsProof: true,
  isExemptFromAccountLimit: true,
  body: revokeApiKeyInput,
  reply: { 204: null },
});

export const endPreviousToken = defineRoute({
  name: 'endPreviousToken',
  method: 'DELETE',
  path: '/api/v1/api-keys/{apiKey}/previous-token',
  summary: 'End the token before the newest at once',
  description: 'That one only: older ones are ended by their ids.',
  access: { scope: 'api-keys:manage', act: 'api-keys.rotate' },
  needsProof: true,
  isExemptFromAccountLimit: true,
  reply: { 204: null },
});

export const endToken = defineRoute({
  name: 'endToken',
  method: 'DELETE',
  path: '/api/v1/api-keys/{apiKey}/tokens/{token}',
  summary: 'End one older token at once',
  description:
    'The ids stand in `tokens` of the key. The newest token cannot be ended so: rotate the key, or revoke it.',
  access: { scope: 'api-keys:manage', act: 'api-keys.rotate' },
  needsProof: true,
  isExemptFromAccountLimit: true,
  stateRefusal: {
    token: [
      'This is the newest token of the key. Rotate the key with a grace period of 0 to replace it, or revoke the key.',
    ],
  },
  reply: { 204: null },
});

export const getCallingApiKey = defineRoute({
  name: 'getCallingApiKey',
  method: 'GET',
  path: '/api/v1/api-key',
  summary: 'The key this request is made with',
  access: 'api-key',
  reply: { 200: success(apiKey) },
});
