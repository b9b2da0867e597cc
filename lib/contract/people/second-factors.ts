import { z } from 'zod';
import { boundedText } from '../fields/bounded-text.ts';
import { name, success, timestamp, uuid } from '../fields/fields.ts';
import { secret } from '../fields/secret.ts';
import { defineRoute } from '../route.ts';

/** How many recovery codes a person is given at a time. */
export const recoveryCodeCount = 10;

/** How long a sign-in waits for its second factor. */
export const pendingSignInMinutes = 10;

export const secondFactorKinds = ['passkey', 'app', 'recovery_code'] as const;
export type SecondFactorKind = (typeof secondFactorKinds)[number];

/** Six digits, as apps show them: with or without a space in the middle. */
const code = boundedText(7, {
  error: 'Enter the 6-digit code of your authenticator app.',
})
  .regex(/^\d{3} ?\d{3}$/, 'Enter the 6 digits that your authenticator app shows.')
  .meta({ examples: ['418 205'] });

/** Letters and digits in groups; how it is typed does not matter. */
const recoveryCode = boundedText(60, { error: 'Enter a recovery code.' }).min(
  1,
  'Enter a recovery code.',
);

const base64url = (max: number) => boundedText(max).regex(/^[\w-]*={0,2}$/, 'Use base64url.');

const noPasskey = { error: 'Send the browser’s response as JSON.' };

const passkeyResponse = {
  id: base64url(1400),
  rawId: base64url(1400),
  type: z.literal('public-key', 'Use "public-key".'),
  authenticatorAttachment: z
    .enum(['platform', 'cross-platform'], 'Use "platform" or "cross-platform".')
    .nullish(),
  clientExtensionResults: z.object({}, noPasskey).optional(),
};

/** `AuthenticationResponseJSON` of WebAuthn: one of the person's passkeys signed a challenge. */
export const passkeyAssertion = z.object(
  {
    ...passkeyResponse,
    response: z.object(
      {
        clientDataJSON: base64url(8000),
        authenticatorData: base64url(8000),
        signature: base64url(8000),
        userHandle: base64url(200).nullish(),
      },
      noPasskey,
    ),
  },
  noPasskey,
);

export type PasskeyAssertion = z.infer<typeof passkeyAssertion>;

/** `RegistrationResponseJSON` of WebAuthn: a new passkey. */
const passkeyAttestation = z.object(
  {
    ...passkeyResponse,
    response: z.object(
      {
        clientDataJSON: base64url(8000),
        attestationObject: base64url(16_000),
        transports: z
          .array(boundedText(40), 'Use a list of transports.')
          .max(10, 'Use at most 10 transports.')
          .optional(),
      },
      noPasskey,
    ),
  },
  noPasskey,
);

export type PasskeyAttestation = z.infer<typeof passkeyAttestation>;

/** One of these gives a second factor. */
export const givenFactor = {
  code: code.optional().describe('A code of the authenticator app. Each code works once.'),
  recovery_code: recoveryCode.optional(),
  passkey: passkeyAssertion.optional().describe('The response to a challenge of this service.'),
};

/** Options for `navigator.credentials`, as WebAuthn writes them in JSON. */
const passkeyOptions = z.record(z.string(), z.unknown());

export const passkey = z.object({
  uuid,
  name: z.string(),
  is_synced: z.boolean().describe('Whether it is synchronized between the person’s devices.'),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
});

export type Passkey = z.infer<typeof passkey>;

export const secondFactors = z.object({
  passkeys: z.array(passkey),
  app: z.object({ created_at: timestamp, last_used_at: timestamp.nullable() }).nullable(),
  recovery_codes: z
    .object({ left: z.int(), total: z.int(), created_at: timestamp })
    .nullable()
    .describe('Null until the first second factor is added.'),
  passkey_host: z
    .string()
    .nullable()
    .describe(
      'The host name under which passkeys work; null if the service has only an IP address.',
    ),
});

export type SecondFactors = z.infer<typeof secondFactors>;

const recoveryCodes = secret(z.array(z.string()));

const newRecoveryCodes = recoveryCodes
  .nullable()
  .describe('Shown only in this response; null if the person had a second factor before.');

export const getSecondFactors = defineRoute({
  name: 'getSecondFactors',
  method: 'GET',
  path: '/api/dashboard/second-factors',
  summary: 'Get your own second factors',
  access: 'person',
  response: { 200: success(secondFactors) },
});

export const startApp = defineRoute({
  name: 'startApp',
  method: 'POST',
  path: '/api/dashboard/second-factors/app',
  summary: 'Create the key of an authenticator app',
  description:
    'The key is not in use before `confirmApp`. An earlier key that was not confirmed is void.',
  access: 'person',
  oneTime: true,
  needsProof: true,
  stateRefusal: { app: ['An authenticator app is already set up. Remove it first.'] },
  response: { 201: success(z.object({ key: secret(z.string()), uri: secret(z.string()) })) },
});

const confirmAppInput = z.strictObject({ code });

export const confirmApp = defineRoute({
  name: 'confirmApp',
  method: 'POST',
  path: '/api/dashboard/second-factors/app/confirm',
  summary: 'Turn on the authenticator app with one of its codes',
  access: 'person',
  oneTime: true,
  needsProof: true,
  body: confirmAppInput,
  response: { 201: success(z.object({ recovery_codes: newRecoveryCodes })) },
});

export const removeApp = defineRoute({
  name: 'removeApp',
  method: 'DELETE',
  path: '/api/dashboard/second-factors/app',
  summary: 'Remove the authenticator app',
  access: 'person',
  needsProof: true,
  response: { 204: null },
});

export const startPasskey = defineRoute({
  name: 'startPasskey',
  method: 'POST',
  path: '/api/dashboard/second-factors/passkeys/options',
  summary: 'Get options to create a passkey',
  access: 'person',
  needsProof: true,
  stateRefusal: { passkey: ['Passkeys need a host name.'] },
  response: { 201: success(passkeyOptions) },
});

export const addPasskeyInput = z.strictObject({ name, passkey: passkeyAttestation });

export const addPasskey = defineRoute({
  name: 'addPasskey',
  method: 'POST',
  path: '/api/dashboard/second-factors/passkeys',
  summary: 'Add a passkey',
  access: 'person',
  oneTime: true,
  needsProof: true,
  body: addPasskeyInput,
  response: { 201: success(z.object({ passkey, recovery_codes: newRecoveryCodes })) },
});

const renamePasskeyInput = z.strictObject({ name });

export const renamePasskey = defineRoute({
  name: 'renamePasskey',
  method: 'PATCH',
  path: '/api/dashboard/second-factors/passkeys/{passkey}',
  summary: 'Rename a passkey',
  access: 'person',
  body: renamePasskeyInput,
  response: { 200: success(passkey) },
});

export const removePasskey = defineRoute({
  name: 'removePasskey',
  method: 'DELETE',
  path: '/api/dashboard/second-factors/passkeys/{passkey}',
  summary: 'Remove a passkey',
  access: 'person',
  needsProof: true,
  response: { 204: null },
});

export const createRecoveryCodes = defineRoute({
  name: 'createRecoveryCodes',
  method: 'POST',
  path: '/api/dashboard/second-factors/recovery-codes',
  summary: 'Create new recovery codes, which end all earlier ones',
  access: 'person',
  oneTime: true,
  needsProof: true,
  stateRefusal: { recovery_codes: ['Add a passkey or an authenticator app first.'] },
  response: { 201: success(z.object({ recovery_codes: recoveryCodes })) },
});

export const startPasskeyProof = defineRoute({
  name: 'startPasskeyProof',
  method: 'POST',
  path: '/api/dashboard/session/proof/passkey-options',
  summary: 'Get options to prove your identity with a passkey',
  access: 'person',
  takesReplacedSession: true,
  stateRefusal: { passkey: ['You have no passkey that works here.'] },
  response: { 201: success(passkeyOptions) },
});

const pendingToken = boundedText(200);

/** A sign-in whose password was correct. */
export const pendingSignIn = z.object({
  pending_token: secret(z.string()),
  kinds: z.array(z.enum(secondFactorKinds)).describe('How the second factor can be given.'),
  passkey_host: secondFactors.shape.passkey_host,
  expires_at: timestamp,
});

export type PendingSignIn = z.infer<typeof pendingSignIn>;

export const startPasskeySignIn = defineRoute({
  name: 'startPasskeySignIn',
  method: 'POST',
  path: '/api/dashboard/session/second-factor/passkey-options',
  summary: 'Get options to sign in with a passkey as the second factor',
  access: 'dashboard',
  body: z.strictObject({ pending_token: pendingToken }),
  response: { 201: success(passkeyOptions) },
});

/** How a second factor can be given, and under which host name passkeys work. */
export type NeededFactor = Pick<PendingSignIn, 'kinds' | 'passkey_host'>;

/** What a person gives as the second factor. */
export type GivenFactor = z.input<z.ZodObject<typeof givenFactor>>;
