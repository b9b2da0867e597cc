import { z } from 'zod';
import { boundedText, rawText } from '../bounded-text.ts';
import { endedApiKeysListed, endedApiKeyStatuses } from './ended-api-keys.ts';
import {
  gracePeriodSeconds,
  id,
  identifiers,
  instant,
  isPlainText,
  name,
  pageQuery,
  shortTextRules,
  success,
  timestamp,
} from '../fields.ts';
import {
  givenDescription,
  givenRateLimit,
  givenResponsible,
  givenTags,
  keyDetails,
} from './key-details.ts';
import { keyTypes, scopeProblems } from './key-types.ts';
import { defineRoute } from '../route.ts';
import {
  sampleActor,
  sampleApiKey,
  sampleApiKeyToken,
  sampleNewApiKey,
  sampleRotation,
  sampleRotationPreview,
} from '../samples.ts';
import { allScopes } from './scopes.ts';

const scope = z
  .enum(allScopes, { error: `Use scopes out of: ${allScopes.join(', ')}.` })
  .meta({ id: 'Scope', description: 'One thing a key may do. `X:manage` includes `X:read`.' });

const keyType = z.enum(keyTypes, { error: `Use one of: ${keyTypes.join(', ')}.` }).meta({
  id: 'KeyType',
  description:
    'Which scopes a key can hold. `full`: any; all of them, future ones included, unless you name some. `limited`: only those you name. `webhook`: webhook scopes. `bot`: bot scopes.',
});

const scopeList = z
  .array(scope, { error: 'Give a list of scopes.' })
  .min(1, 'Give at least one scope, or leave the field out for all scopes of the type.')
  .max(allScopes.length, 'List each scope once.')
  .refine((scopes) => new Set(scopes).size === scopes.length, 'List each scope once.')
  .meta({ uniqueItems: true });

const allowedCidrs = z
  .array(
    boundedText(64, {
      error: 'Write each network as text, as 203.0.113.0/24.',
      tooLong: 'A network has at most 64 characters.',
    }),
    {
      error: 'Give a list of networks, as 203.0.113.0/24.',
    },
  )
  .max(50, 'Give at most 50 networks.')
  .describe(
    'The IPv4 and IPv6 networks that the key may be used from, in CIDR notation: at most 50. An empty list means any.',
  );

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
  );

/** Who did something: a member, an API key, or the service itself. */
export const actorReference = z
  .object({
    kind: z
      .enum(['person', 'api_key', 'system'])
      .describe('A member of the account, an API key, or the service itself.'),
    id: z
      .string()
      .nullable()
      .describe('Id of the person or UUID of the key; null for the service.'),
    name: z.string().describe('Their name at that time.'),
  })
  .meta({
    id: 'Actor',
    description: 'Who did something: a member of the account, an API key, or the service itself.',
    examples: [sampleActor],
  });

/** A token or secret that was shown in the dashboard to somebody who has not confirmed having it. */
export const unconfirmedFields = {
  since: timestamp.describe('When it was shown.'),
  shown_to: actorReference.describe('To whom.'),
};

/** One valid token of a key; never the token itself. */
const apiKeyToken = z
  .object({
    id: id.describe('Integer id of the token, by which it can be ended.'),
    last_four: z.string().length(4).describe('The last four characters of the token.'),
    created_at: timestamp.describe('When the token was made.'),
    created_by: actorReference.describe('Who made it, by creating or rotating the key.'),
    valid_until: timestamp
      .nullable()
      .describe('When it stops working; null for the newest, which works as long as the key does.'),
    last_used_at: timestamp.nullable().describe('When it was last used; null if it never was.'),
    unconfirmed: z
      .object({
        ...unconfirmedFields,
        shown_to: unconfirmedFields.shown_to
          .nullable()
          .describe(
            'To whom it was shown; null if nobody was shown it, as where many keys were rotated at once.',
          ),
        undo_restores: z
          .string()
          .length(4)
          .nullable()
          .describe(
            'The last four characters of the token that is the newest again if the rotation is undone in the dashboard; null if it cannot be undone.',
          ),
      })
      .nullable()
      .describe(
        'Only of the newest token, if it was shown in the dashboard, nobody confirmed having it, and it was never used; else null. A token that this API answered counts as confirmed.',
      ),
  })
  .meta({
    id: 'ApiKeyToken',
    description: 'One valid token of a key, without the token itself.',
    examples: [sampleApiKeyToken],
  });

export type ApiKeyToken = z.infer<typeof apiKeyToken>;

export const apiKeyStatuses = ['active', 'rotating', 'expired', 'revoked'] as const;

export const apiKey = z
  .object({
    ...identifiers('the key'),
    name: z.string().describe('The name that people know the key by.'),
    type: keyType.describe('The type of the key. It never changes.'),
    scopes: z.array(scope).describe('What the key may do, implied scopes included.'),
    last_four: z.string().length(4).describe('The last four characters of the newest token.'),
    status: z
      .enum(apiKeyStatuses)
      .describe(
        '`active`: it works. `rotating`: it works, and an older token is still valid beside the newest. `expired`, `revoked`: it no longer works.',
      ),
    created_at: timestamp.describe('When the key was created.'),
    created_by: actorReference.nullable().describe('Who created the key; null if unknown.'),
    rotated_at: timestamp
      .nullable()
      .describe('When the newest token was made; null if the key was never rotated.'),
    expires_at: timestamp.nullable().describe('When the key stops working; null if never.'),
    last_used_at: timestamp
      .nullable()
      .describe('When a valid token of the key was last used; null if none was.'),
    last_used_ip: z.string().nullable().describe('The address it was last used from.'),
    revoked_at: timestamp.nullable().describe('When the key was revoked; null if it was not.'),
    revoked_by: actorReference.nullable().describe('Who revoked it; null if nobody did.'),
    revoked_reason: z.string().nullable().describe('Why, as far as a reason was given.'),
    allowed_cidrs: z
      .array(z.string())
      .describe('The networks that the key may be used from; empty if from anywhere.'),
    ...keyDetails,
    previous_token: z
      .object({
        last_four: z.string().length(4).describe('The last four characters of that token.'),
        replaced_at: timestamp.describe('When the newest token was made.'),
        valid_until: timestamp.describe('When that token stops working.'),
        last_used_at: timestamp.nullable().describe('When it was last used; null if it never was.'),
      })
      .nullable()
      .describe('The token before the newest while it is still valid; else null.'),
    tokens: z
      .array(apiKeyToken)
      .describe('Every token that is valid now, newest first; none of a revoked or expired key.'),
  })
  .meta({
    id: 'ApiKey',
    description: 'A key for this API, without its tokens.',
    examples: [sampleApiKey],
  });

export type ApiKey = z.infer<typeof apiKey>;

const token = z
  .string()
  .regex(/^sk_live_[0-9A-Za-z]{38}$/)
  .describe('The new token. No other answer carries it: save it now.');

export const createApiKeyInput = z
  .strictObject({
    name: name.describe(`The name that people know the key by: ${shortTextRules}`),
    type: keyType.describe('The type of the key. It decides which scopes the key can hold.'),
    scopes: scopeList
      .optional()
      .describe(
        'What the key may do. Required for a `limited` key; for any other type, leave it out for every scope of the type, future ones included.',
      ),
    expires_at: instant
      .nullable()
      .optional()
      .describe('When the key stops working, in the future; never if null or left out.'),
    allowed_cidrs: allowedCidrs.optional(),
    description: givenDescription.optional(),
    tags: givenTags.optional(),
    responsible_id: givenResponsible.optional(),
    rate_limit_per_minute: givenRateLimit.optional(),
  })
  .superRefine(({ type, scopes }, context) => {
    for (const message of scopeProblems(type, scopes ?? null)) {
      context.addIssue({ code: 'custom', path: ['scopes'], message });
    }
  })
  .meta({
    id: 'CreateApiKeyInput',
    description: 'A key to create.',
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

/** The last four characters of a token or secret, from a client. */
export const givenLastFour = rawText(8, {
  error: 'Use the last four characters.',
  tooLong: 'Use the last four characters.',
}).length(4, 'Use the last four characters.');

/** How to rotate. */
export const rotationInput = z.strictObject({
  grace_period_seconds: gracePeriodSeconds
    .optional()
    .describe(
      'For how many seconds the newest token stays valid beside the one this rotation makes; 86400 (24 hours) if left out, unless the operator chose otherwise. 0 ends every older token at once. If the newest token was never used while an older one is still valid, the newest ends at once whatever you give here, and the older ones keep their deadlines: its answer was probably lost.',
    ),
  expected_last_four: rawText(8, {
    error: 'Use the last four characters of the token.',
    tooLong: 'Use the last four characters of the token.',
  })
    .length(4, 'Use the last four characters of the token.')
    .optional()
    .describe(
      'The last four characters of the newest token, as you know it. If it ends in others, the key is not rotated, and the 422 says what became of that token: who rotated the key and when, that a rotation was undone, or what the newest token ends in.',
    ),
});

export type RotationInput = z.input<typeof rotationInput>;

const rotateApiKeyInput = rotationInput
  .extend({
    dry_run: z
      .boolean({ error: 'Use true or false.' })
      .optional()
      .describe(
        'If true, nothing changes, and the answer is 200 with what a rotation would do to each valid token. False if left out.',
      ),
  })
  .meta({
    id: 'RotateApiKeyInput',
    description: 'How to rotate the key.',
    examples: [{ grace_period_seconds: 86_400 }],
  });

export const updateApiKeyInput = z
  .strictObject({
    name: name.optional().describe(`The new name of the key: ${shortTextRules}`),
    scopes: scopeList
      .nullable()
      .optional()
      .describe(
        'What the key may do from now on; null for every scope of its type, future ones included.',
      ),
    expires_at: instant
      .nullable()
      .optional()
      .describe('When the key stops working, in the future; null for never.'),
    allowed_cidrs: allowedCidrs.optional(),
    description: givenDescription.optional(),
    tags: givenTags.optional(),
    responsible_id: givenResponsible.optional(),
    rate_limit_per_minute: givenRateLimit.optional(),
  })
  .refine((input) => Object.keys(input).length > 0, {
    message: 'Give at least one field to change.',
  })
  .meta({
    id: 'UpdateApiKeyInput',
    description: 'The fields to change: at least one. What is left out stays as it is.',
    minProperties: 1,
    examples: [{ name: sampleApiKey.name, allowed_cidrs: sampleApiKey.allowed_cidrs }],
  });

export type UpdateApiKeyInput = z.input<typeof updateApiKeyInput>;

export const revokeApiKeyInput = z
  .strictObject({
    reason: reason
      .nullable()
      .optional()
      .describe('Why the key is revoked, in 1 to 200 characters. It is kept with the key.'),
  })
  .meta({
    id: 'RevokeApiKeyInput',
    description: 'Why the key is revoked.',
    examples: [{ reason: 'Found in a public repository' }],
  });

const newApiKey = apiKey
  .extend({ token, message: z.string().describe('Tells people to save the token now.') })
  .meta({
    id: 'NewApiKey',
    description: 'A key that was just created, with its token.',
    examples: [sampleNewApiKey],
  });

export const rotatedToken = z
  .object({
    token,
    message: z
      .string()
      .describe('Says what became of the older tokens and until when each stays valid.'),
  })
  .meta({
    id: 'RotatedToken',
    description: 'The token that a rotation made.',
    examples: [sampleRotation],
  });

const rotationPreview = z
  .object({
    tokens: z
      .array(
        z.object({
          last_four: z.string().length(4).describe('The last four characters of the token.'),
          valid_until: timestamp
            .nullable()
            .describe('Until when the token would stay valid; null if it would end at once.'),
          ends_now: z.boolean().describe('Whether the token would end at once.'),
        }),
      )
      .describe('Every token that is valid now, newest first.'),
  })
  .meta({
    id: 'RotationPreview',
    description: 'What a rotation would do to the tokens of a key.',
    examples: [sampleRotationPreview],
  });

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
        'The most keys a page holds, 1 to 100; 50 if left out. Has no effect without `status`.',
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
    'The answer is the only one that carries the token. A key makes keys within its own scopes, expiry, networks and rate limit only. Without `scopes`, the new key also gets the scopes that its type is given in later versions: a key that has a list of scopes itself must send one. Unless the operator chose otherwise, an account can have 200 live keys, a key or person may create 60 keys and webhooks an hour, and an account 300.',
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
  description: 'The type of a key cannot be changed. The answer carries no token.',
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
  description:
    'Ends all tokens of the key for good. Revoking a key that is already revoked changes nothing.',
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
  description:
    'Ends that token only; end older ones by their ids. If no older token is valid, the answer is 404.',
  access: { scope: 'api-keys:manage', act: 'api-keys.end-tokens' },
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
    '`tokens` of the key lists the ids. The newest token cannot be ended this way: rotate the key, or revoke it.',
  access: { scope: 'api-keys:manage', act: 'api-keys.end-tokens' },
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
  summary: 'Get the key that the request is made with',
  description: 'Use it to test a token, or to see what it may do and when it ends.',
  access: 'api-key',
  reply: { 200: success(apiKey) },
});
