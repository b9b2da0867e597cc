import { z } from 'zod';
import { boundedText, rawText } from '../fields/bounded-text.ts';
import { success, timestamp, uuid } from '../fields/fields.ts';
import { hasNoSecret, hiddenCharacterAdvice, isPlainText } from '../fields/plain-text.ts';
import { defineRoute } from '../route.ts';

export const findTokenInput = z.strictObject({
  token_digest: rawText(64, { error: 'Use the digest of the token.' }).regex(
    /^[0-9a-f]{64}$/,
    'Use the SHA-256 of the token, as 64 hexadecimal digits.',
  ),
});

export const tokenState = z
  .enum(['live', 'grace', 'paused', 'ended', 'revoked', 'expired', 'unknown'])
  .describe(
    '`live`: it works. `grace`: it was replaced and works until `valid_until`. `paused`: it would work if its key were not paused. `ended`: it was replaced and no longer works. `revoked`, `expired`: its key is. `unknown`: it is not a token of any account that they can open.',
  );

const foundTokenOfAccount = z.object({
  state: tokenState,
  last_four: z.string().nullable(),
  valid_until: timestamp
    .nullable()
    .describe('When it stops working, or stopped; null if it has no end or is unknown.'),
  api_key: z
    .object({ uuid: z.string(), name: z.string() })
    .nullable()
    .describe('Null if the token is unknown.'),
});

export type FoundTokenOfAccount = z.infer<typeof foundTokenOfAccount>;

export const findTokenOfAccount = defineRoute({
  name: 'findTokenOfAccount',
  method: 'POST',
  path: '/api/dashboard/api-keys/token-searches',
  summary: 'Find the key of a token in the account, and whether the token works',
  description:
    'Searches by the digest of the token; the token itself is never sent. Tokens that ended are found as long as their key exists.',
  access: { scope: null, act: 'api-keys.read' },
  body: findTokenInput,
  response: { 200: success(foundTokenOfAccount) },
});

export const listApiKeysUsedFrom = defineRoute({
  name: 'listApiKeysUsedFrom',
  method: 'GET',
  path: '/api/dashboard/api-keys-used-from',
  summary: 'List the active keys that were used from an address or network',
  description:
    'Returns the UUIDs of keys of which a valid token was used from there in the last 30 days, or was last used from there. For owners and admins.',
  access: { scope: null, act: 'api-keys.revoke' },
  query: z.strictObject({
    address: boundedText(64, { tooLong: 'Use one address or network, in at most 64 characters.' })
      .refine(isPlainText, hiddenCharacterAdvice)
      .refine(hasNoSecret, 'Leave tokens and secrets out of the address.'),
  }),
  response: { 200: success(z.array(uuid)) },
});
