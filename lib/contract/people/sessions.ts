import { z } from 'zod';
import { givenUuid, success, timestamp } from '../fields/fields.ts';
import { defineRoute } from '../route.ts';
import { roles } from '../rights/roles.ts';
import { supportAccess } from '../rights/support-access.ts';
import { newPassword, password } from './credentials.ts';
import { newDevice, sessionCookie } from './new-session.ts';
import { givenFactor } from './second-factors.ts';

const erasedAt = timestamp
  .nullable()
  .describe(
    'For an account that is being deleted, which only its owners see: until when it can be restored. After that, all of its data is erased.',
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
      'Whether the person, as installation support, must give a reason for opening the account before they see or do anything there.',
    ),
  visit: z
    .object({ reason: z.string(), ends_at: timestamp })
    .nullable()
    .describe(
      'The open visit of installation support: why they opened the account, and when it ends. Null for members, and before a reason was given.',
    ),
  second_factor: z.object({ passkeys: z.int(), app: z.boolean(), recovery_codes_left: z.int() }),
  lacks_second_factor: z
    .boolean()
    .describe('Whether the account requires a second factor now and the person has none.'),
  passkey_host: z.string().nullable().describe('The host name under which passkeys work, if any.'),
  rotation_grace_seconds: z
    .int()
    .describe(
      'How long the old token of a rotated key stays valid unless the request specifies otherwise, as set by the operator.',
    ),
  expires_at: timestamp,
  proof_expires_at: timestamp.describe(
    'Until when sensitive acts need no new proof; in the past if they need one now.',
  ),
});

export type Session = z.infer<typeof session>;

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
  summary: 'Prove your identity again, so that sensitive acts are allowed for a while',
  access: 'person',
  oneTime: true,
  description:
    'With the password. A person with a second factor gives a passkey alone, or the password and a code. Ten tries a minute for each person, including those to change the password. The session gets a new token. For 30 seconds the previous token can still read, and the proof can be given with it again: the response then has the same new token, in case the first response was lost.',
  takesReplacedSession: true,
  body: confirmIdentityInput,
  response: { 201: success(z.object({ proof_expires_at: timestamp, ...sessionCookie })) },
});

const chooseAccountInput = z.strictObject({ account: givenUuid });

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
  oneTime: true,
  body: changePasswordInput,
  response: { 200: success(z.object({ ended_sessions: z.int(), ...sessionCookie, ...newDevice })) },
});
