import { z } from 'zod';
import { boundedText, rawText } from '../fields/bounded-text.ts';
import { givenUuid, name, success, timestamp } from '../fields/fields.ts';
import { defineRoute } from '../route.ts';
import { roles } from '../rights/roles.ts';
import { emailPattern } from './email-pattern.ts';
import { givenFactor, pendingSignIn } from './second-factors.ts';
import { supportAccess } from '../rights/support-access.ts';

export const email = rawText(1000, {
  error: 'Enter your email address.',
  tooLong: 'Use at most 254 characters.',
})
  .trim()
  .toLowerCase()
  .pipe(
    boundedText(254).check(
      z.email({ pattern: emailPattern, error: 'This is not an email address.' }),
    ),
  );

/** Long enough to resist guessing. The maximum keeps a client from having megabytes hashed. */
export const newPassword = boundedText(128, { error: 'Give a password.' }).min(
  12,
  'Use at least 12 characters.',
);

/** A password that exists already. */
const password = boundedText(128, { error: 'Enter your password.' }).min(1, 'Enter your password.');

const setUpToken = boundedText(200);

export const checkSetUpTokenInput = z.strictObject({ set_up_token: setUpToken });

const erasedAt = timestamp
  .nullable()
  .describe(
    'For an account that is being deleted, which only its owners see: until when it can be restored. Then everything of it is erased.',
  );

/** Who is signed in, in which account, with which role. */
export const session = z.object({
  person: z.object({ id: z.string(), name: z.string(), email: z.string() }),
  account: z.object({
    id: z.string(),
    name: z.string(),
    support: supportAccess,
    erased_at: erasedAt,
    second_factor_required_from: timestamp.nullable(),
  }),
  role: z.enum(roles),
  accounts: z
    .array(z.object({ id: z.string(), name: z.string(), role: z.enum(roles), erased_at: erasedAt }))
    .describe('The accounts that the person belongs to.'),
  is_installation_support: z
    .boolean()
    .describe('Whether the person can open every account that allows installation support.'),
  needs_reason: z
    .boolean()
    .describe(
      'Whether the person, as installation support, must say why they open the account before they see or do anything there.',
    ),
  second_factor: z.object({ passkeys: z.int(), app: z.boolean(), recovery_codes_left: z.int() }),
  lacks_second_factor: z
    .boolean()
    .describe('Whether the account requires a second factor now and the person has none.'),
  passkey_host: z.string().nullable().describe('The host name under which passkeys work, if any.'),
  expires_at: timestamp,
  proof_expires_at: timestamp.describe(
    'Until when sensitive acts need no new proof; in the past if they need one now.',
  ),
});

export type Session = z.infer<typeof session>;

/** The value for the device cookie and how long the browser may keep it, in seconds. */
const newDevice = { device_token: z.string(), device_max_age: z.int() };

/** The same for the session cookie. */
const sessionCookie = { session_token: z.string(), max_age: z.int() };

export const newSession = success(z.object({ ...sessionCookie, ...newDevice }));

/** In characters. The service never creates longer ones. */
export const maxDeviceTokenLength = 1024;

export const signInInput = z.strictObject({ email, password });

export const setUpInput = z.strictObject({
  set_up_token: setUpToken,
  account_name: name,
  name,
  email,
  password: newPassword,
});

export const signIn = defineRoute({
  name: 'signIn',
  method: 'POST',
  path: '/api/dashboard/session',
  summary: 'Sign in',
  description:
    'Ten tries a minute for each IP address. For an email address, 30 wrong tries an hour from one IP address and 100 from all. From a device in which the person signed in before, as `device_token` says, only its own tries count: ten a minute.',
  access: 'dashboard',
  body: z.strictObject({
    ...signInInput.shape,
    device_token: boundedText(maxDeviceTokenLength)
      .optional()
      .describe('The value of the device cookie. One that is void counts as none.'),
  }),
  response: { 201: newSession, 202: success(pendingSignIn) },
});

export const finishSignIn = defineRoute({
  name: 'finishSignIn',
  method: 'POST',
  path: '/api/dashboard/session/second-factor',
  summary: 'Sign in with a second factor, after the password',
  description:
    'One of `code`, `recovery_code` and `passkey`. Five wrong ones end the sign-in. For each person, 20 wrong ones an hour are allowed.',
  access: 'dashboard',
  body: z.strictObject({
    pending_token: boundedText(200),
    ...givenFactor,
    device_token: boundedText(maxDeviceTokenLength).optional(),
  }),
  response: { 201: newSession },
});

export const getSession = defineRoute({
  name: 'getSession',
  method: 'GET',
  path: '/api/dashboard/session',
  summary: 'Get who is signed in',
  access: 'person',
  response: { 200: success(session) },
});

export const signOut = defineRoute({
  name: 'signOut',
  method: 'DELETE',
  path: '/api/dashboard/session',
  summary: 'Sign out',
  access: 'session',
  isExemptFromPersonLimit: true,
  takesReplacedSession: true,
  response: { 204: null },
});

export const confirmIdentityInput = z
  .strictObject({ password: password.optional(), ...givenFactor })
  .refine((given) => Object.keys(given).length > 0, {
    message: 'Enter your password.',
    path: ['password'],
  });

export const confirmIdentity = defineRoute({
  name: 'confirmIdentity',
  method: 'POST',
  path: '/api/dashboard/session/proof',
  summary: 'Prove again who you are, so that sensitive acts are allowed for a while',
  access: 'person',
  description:
    'With the password. A person with a second factor gives a passkey alone, or the password and a code. Ten tries a minute for each person, including those to change the password. The session gets a new token. For 30 seconds the previous token can still read, and the proof can be given with it again: the response then has the same new token, in case the first response was lost.',
  takesReplacedSession: true,
  body: confirmIdentityInput,
  response: { 201: success(z.object({ proof_expires_at: timestamp, ...sessionCookie })) },
});

export const chooseAccountInput = z.strictObject({ account: givenUuid });

export const chooseAccount = defineRoute({
  name: 'chooseAccount',
  method: 'POST',
  path: '/api/dashboard/session/account',
  summary: 'Choose the account that the dashboard opens with',
  description:
    'For this session only. Calls that name an account in `X-Dashboard-Account` still use that account. For an account that you do not belong to, the response is 404.',
  access: 'person',
  body: chooseAccountInput,
  response: { 200: success(session) },
});

/** A place where the person is signed in. */
export const signedInSession = z.object({
  id: z.string(),
  is_current: z.boolean(),
  ip: z.string().nullable(),
  user_agent: z.string().nullable(),
  created_at: timestamp,
  last_used_at: timestamp,
  expires_at: timestamp,
});

export type SignedInSession = z.infer<typeof signedInSession>;

export const listSessions = defineRoute({
  name: 'listSessions',
  method: 'GET',
  path: '/api/dashboard/sessions',
  summary: 'List where you are signed in, the latest used first',
  access: 'person',
  response: { 200: success(z.array(signedInSession)) },
});

export const endSession = defineRoute({
  name: 'endSession',
  method: 'DELETE',
  path: '/api/dashboard/sessions/{session}',
  summary: 'Sign out another session of yours',
  description: 'Refused for the session of the call itself; to end that one, sign out.',
  access: 'person',
  needsProof: true,
  response: { 204: null },
});

export const endOtherSessions = defineRoute({
  name: 'endOtherSessions',
  method: 'DELETE',
  path: '/api/dashboard/sessions',
  summary: 'Sign out everywhere but here',
  access: 'person',
  needsProof: true,
  response: { 200: success(z.object({ ended: z.int() })) },
});

export const changePasswordInput = z.strictObject({
  current_password: password,
  new_password: newPassword,
});

export const changePassword = defineRoute({
  name: 'changePassword',
  method: 'POST',
  path: '/api/dashboard/password',
  summary: 'Change your password, which signs you out everywhere but here',
  description:
    'The session gets a new token, and the previous one can still read for 30 seconds. Ten tries a minute for each person, including those to give the password again.',
  access: 'person',
  body: changePasswordInput,
  response: { 200: success(z.object({ ended_sessions: z.int(), ...sessionCookie, ...newDevice })) },
});

export const getSetUp = defineRoute({
  name: 'getSetUp',
  method: 'GET',
  path: '/api/dashboard/set-up',
  summary: 'Get whether the service still waits for its first person',
  access: 'dashboard',
  response: { 200: success(z.object({ open: z.boolean() })) },
});

export const checkSetUpToken = defineRoute({
  name: 'checkSetUpToken',
  method: 'POST',
  path: '/api/dashboard/set-up/check',
  summary: 'Get whether a set-up link is still valid, and until when',
  access: 'dashboard',
  body: checkSetUpTokenInput,
  response: { 200: success(z.object({ valid_until: timestamp })) },
});

export const setUp = defineRoute({
  name: 'setUp',
  method: 'POST',
  path: '/api/dashboard/set-up',
  summary: 'Create the first account and its owner',
  access: 'dashboard',
  body: setUpInput,
  response: { 201: newSession },
});
