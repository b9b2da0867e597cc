import { z } from 'zod';
import { actorReference } from '../fields/actor-reference.ts';
import { id, identifiers, timestamp } from '../fields/fields.ts';
import { sampleApiKey, sampleApiKeyToken } from '../samples.ts';
import { unconfirmedFields } from '../fields/unconfirmed-fields.ts';
import { keyDetails } from './key-details.ts';
import { keyTypes } from './key-types.ts';
import { allScopes } from './scopes.ts';

export const scope = z
  .enum(allScopes, { error: `Use scopes out of: ${allScopes.join(', ')}.` })
  .meta({ id: 'Scope', description: 'One thing a key may do. `X:manage` includes `X:read`.' });

export const keyType = z.enum(keyTypes, { error: `Use one of: ${keyTypes.join(', ')}.` }).meta({
  id: 'KeyType',
  description:
    'Which scopes a key can hold. `full`: any; all of them, including future ones, unless you name some. `limited`: only those you name. `webhook`: webhook scopes. `bot`: bot scopes.',
});

/** One valid token of a key; never the token itself. */
const apiKeyToken = z
  .object({
    id: id.describe('Integer id of the token, by which it can be ended.'),
    last_four: z.string().length(4).describe('The last four characters of the token.'),
    created_at: timestamp.describe('When the token was created.'),
    created_by: actorReference.describe('Who created it, by creating or rotating the key.'),
    shown_to: actorReference
      .nullable()
      .describe('Who received it in a response; null if it was not shown to anyone.'),
    valid_until: timestamp
      .nullable()
      .describe('When it stops working; null for the newest, which works as long as the key does.'),
    last_used_at: timestamp.nullable().describe('When it was last used; null if it never was.'),
    last_used_ip: z
      .string()
      .nullable()
      .describe('The address it was last used from; null if it never was used.'),
    last_used_user_agent: z
      .string()
      .nullable()
      .describe(
        'The `User-Agent` of the call it was last used for, at most 512 characters; null if it had none.',
      ),
    unconfirmed: z
      .object({
        ...unconfirmedFields,
        shown_to: unconfirmedFields.shown_to
          .nullable()
          .describe(
            'The person it was shown to; null if it was not shown to anyone, for example after an incident.',
          ),
        undo_restores: z
          .string()
          .length(4)
          .nullable()
          .describe(
            'The last four characters of the token that becomes the newest again if the rotation is undone in the dashboard; null if it cannot be undone.',
          ),
      })
      .nullable()
      .describe(
        'Set for the newest token if it was shown in the dashboard, was not confirmed, and was never used; otherwise null. A token that this API returned counts as confirmed.',
      ),
  })
  .meta({
    id: 'ApiKeyToken',
    description: 'One valid token of a key, without the token itself.',
    examples: [sampleApiKeyToken],
  });

export type ApiKeyToken = z.infer<typeof apiKeyToken>;

export const apiKeyStatuses = ['active', 'rotating', 'paused', 'expired', 'revoked'] as const;

export const apiKey = z
  .object({
    ...identifiers('the key'),
    name: z.string().describe('The name that people know the key by.'),
    type: keyType.describe('The type of the key. It cannot be changed.'),
    scopes: z.array(scope).describe('What the key may do, implied scopes included.'),
    last_four: z.string().length(4).describe('The last four characters of the newest token.'),
    status: z
      .enum(apiKeyStatuses)
      .describe(
        '`active`: it works. `rotating`: it works, and an older token is still valid in addition to the newest. `paused`: its calls are refused until someone resumes it. `expired`, `revoked`: it no longer works.',
      ),
    created_at: timestamp.describe('When the key was created.'),
    created_by: actorReference.nullable().describe('Who created the key; null if unknown.'),
    rotated_at: timestamp
      .nullable()
      .describe('When the newest token was created; null if the key was never rotated.'),
    expires_at: timestamp.nullable().describe('When the key stops working; null if never.'),
    last_used_at: timestamp
      .nullable()
      .describe('When a valid token of the key was last used; null if none was.'),
    last_used_ip: z.string().nullable().describe('The address it was last used from.'),
    paused_at: timestamp
      .nullable()
      .describe('Since when calls with the key are refused; null if it is not paused.'),
    paused_by: actorReference.nullable().describe('Who paused it; null if it is not paused.'),
    revoked_at: timestamp.nullable().describe('When the key was revoked; null if it was not.'),
    revoked_by: actorReference.nullable().describe('Who revoked it; null if it was not revoked.'),
    revoked_reason: z
      .string()
      .nullable()
      .describe('The reason that was given; null if there is none.'),
    allowed_cidrs: z
      .array(z.string())
      .describe('The networks that the key may be used from; empty if from anywhere.'),
    ...keyDetails,
    previous_token: z
      .object({
        last_four: z.string().length(4).describe('The last four characters of that token.'),
        replaced_at: timestamp.describe('When the newest token was created.'),
        valid_until: timestamp.describe('When that token stops working.'),
        last_used_at: timestamp.nullable().describe('When it was last used; null if it never was.'),
      })
      .nullable()
      .describe('The token before the newest while it is still valid; otherwise null.'),
    tokens: z
      .array(apiKeyToken)
      .describe('Every token that is valid now, newest first; empty for a revoked or expired key.'),
  })
  .meta({
    id: 'ApiKey',
    description: 'A key for this API, without its tokens.',
    examples: [sampleApiKey],
  });

export type ApiKey = z.infer<typeof apiKey>;
