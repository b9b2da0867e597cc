import { z } from 'zod';
import { boundedText, rawText } from '../fields/bounded-text.ts';
import { name, shortTextRules } from '../fields/fields.ts';
import { instantField } from '../fields/instants.ts';
import { hasNoSecret, hiddenCharacterAdvice, isPlainText } from '../fields/plain-text.ts';
import { sampleApiKey } from '../samples.ts';
import { keyType, scope } from './api-key.ts';
import { givenDescription, givenRateLimit, givenResponsible, givenTags } from './key-details.ts';
import { scopeProblems } from './key-types.ts';
import { allScopes } from './scopes.ts';
import { whenValid } from '../when-valid.ts';

const scopeList = z
  .array(scope, { error: 'Use a list of scopes.' })
  .min(
    1,
    'Use at least one scope. For all scopes of the type, omit the field, unless the key is limited.',
  )
  .max(allScopes.length, 'List each scope once.')
  .refine((scopes) => new Set(scopes).size === scopes.length, 'List each scope once.')
  .meta({ uniqueItems: true });

const allowedCidrs = z
  .array(
    boundedText(64, {
      error: 'Write each network as text, such as 203.0.113.0/24.',
      tooLong: 'A network has at most 64 characters.',
    }),
    {
      error: 'Use a list of networks, such as 203.0.113.0/24.',
    },
  )
  .max(50, 'Use at most 50 networks.')
  .describe(
    'The IPv4 and IPv6 networks that the key may be used from, in CIDR notation: at most 50. An empty list means any.',
  );

const reason = rawText(2000, {
  error: 'Write the reason as text.',
  tooLong: 'Use at most 200 characters.',
})
  .transform((text) => text.normalize('NFC').trim())
  .pipe(
    z
      .string()
      .min(1, 'Enter a reason of 1 to 200 characters, or omit it.')
      .max(200, 'Use at most 200 characters.')
      .refine(isPlainText, hiddenCharacterAdvice)
      .refine(hasNoSecret, 'Leave tokens and secrets out of the reason.'),
  );

export const createApiKeyInput = z
  .strictObject({
    name: name.describe(`The name that people know the key by: ${shortTextRules}`),
    type: keyType.describe('The type of the key. It decides which scopes the key can hold.'),
    scopes: scopeList
      .optional()
      .describe(
        'What the key may do. Required for a `limited` key; for any other type, omit it for every scope of the type, including future ones.',
      ),
    expires_at: instantField
      .nullable()
      .optional()
      .describe('When the key stops working, in the future. Null or omitted: never.'),
    allowed_cidrs: allowedCidrs.optional(),
    description: givenDescription.optional(),
    tags: givenTags.optional(),
    responsible_id: givenResponsible.optional(),
    rate_limit_per_minute: givenRateLimit.optional(),
  })
  .superRefine(
    ({ type, scopes }, context) => {
      for (const message of scopeProblems(type, scopes ?? null)) {
        context.addIssue({ code: 'custom', path: ['scopes'], message });
      }
    },
    whenValid({ type: keyType, scopes: scopeList.optional() }),
  )
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

export const updateApiKeyInput = z
  .strictObject({
    name: name.optional().describe(`The new name of the key: ${shortTextRules}`),
    scopes: scopeList
      .nullable()
      .optional()
      .describe(
        'What the key may do from now on; null for every scope of its type, including future ones.',
      ),
    expires_at: instantField
      .nullable()
      .optional()
      .describe('When the key stops working, in the future; null for never.'),
    allowed_cidrs: allowedCidrs.optional(),
    description: givenDescription.optional(),
    tags: givenTags.optional(),
    responsible_id: givenResponsible.optional(),
    rate_limit_per_minute: givenRateLimit.optional(),
    may_rotate_itself: z
      .boolean({ error: 'Use true or false.' })
      .optional()
      .describe(
        'Whether the key may call `POST /api/v1/api-key/rotate`; false for a new key. Only an owner or admin can change it, in the dashboard: with an API key, the response is 403.',
      ),
  })
  .refine((input) => Object.keys(input).length > 0, {
    message: 'Include at least one field to change.',
  })
  .meta({
    id: 'UpdateApiKeyInput',
    description: 'The fields to change: at least one. Fields that are left out stay as they are.',
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
