import { z } from 'zod';
import { keyTypes } from '../api-keys/key-types.ts';
import { success, timestamp, uuid } from '../fields/fields.ts';
import { roles } from '../rights/roles.ts';
import { defineRoute } from '../route.ts';

/** Someone who belongs to the account. */
export const member = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(roles),
  added_at: timestamp,
  last_seen_at: timestamp
    .nullable()
    .describe('When they last used the dashboard in this account, to the minute; null if never.'),
  last_seen_user_agent: z
    .string()
    .nullable()
    .describe('`User-Agent` of the browser they used then.'),
  second_factor: z.object({ passkeys: z.int(), app: z.boolean() }),
});

export type Member = z.infer<typeof member>;

export const listMembers = defineRoute({
  name: 'listMembers',
  method: 'GET',
  path: '/api/dashboard/members',
  summary: 'List the members of the account, by name',
  access: { scope: null, act: 'team.read' },
  response: { 200: success(z.array(member)) },
});

const changeMemberRoleInput = z.strictObject({
  role: z.enum(roles, { error: 'Choose a role.' }),
});

export const changeMemberRole = defineRoute({
  name: 'changeMemberRole',
  method: 'PATCH',
  path: '/api/dashboard/members/{member}',
  summary: 'Change the role of a member',
  description:
    'It applies from their next request on. Only owners can make someone an owner or change the role of an owner. The last owner keeps that role.',
  access: { scope: null, act: 'team.manage' },
  needsProof: true,
  body: changeMemberRoleInput,
  response: { 200: success(member) },
});

export const remindMember = defineRoute({
  name: 'remindMember',
  method: 'POST',
  path: '/api/dashboard/members/{member}/remind',
  summary: 'Email a member that they need a second factor',
  description:
    'For members without a second factor, in an account that requires one from now or a later day on. It is sent once a day for each member.',
  access: { scope: null, act: 'team.manage' },
  response: { 204: null },
});

/** A token that works and that the member knows. */
export const knownToken = z.object({
  api_key: z.object({ id: z.int(), uuid, name: z.string(), type: z.enum(keyTypes) }),
  last_four: z.string(),
  last_used_at: timestamp.nullable(),
  valid_until: timestamp.nullable().describe('When it ends automatically; null if it does not.'),
  through: z
    .string()
    .nullable()
    .describe(
      'The name of the key that received it from the API, with a token that the person knew; null if it was shown to the person.',
    ),
});

/** A signing secret that still signs and was shown to the member. */
const shownSecret = z.object({
  webhook: z.object({ id: z.int(), uuid, name: z.string() }),
  created_at: timestamp,
  valid_until: timestamp.nullable().describe('When it stops signing; null for the newest.'),
});

/** What a member could still use after they were removed. */
export const shownSecrets = z.object({
  tokens: z.array(knownToken),
  signing_secrets: z.array(shownSecret),
});

export type ShownSecrets = z.infer<typeof shownSecrets>;

export const listShownSecrets = defineRoute({
  name: 'listShownSecrets',
  method: 'GET',
  path: '/api/dashboard/members/{member}/shown-secrets',
  summary:
    'List the tokens that a member knows and the signing secrets that they were shown, if they still work',
  access: { scope: null, act: 'team.manage' },
  response: { 200: success(shownSecrets) },
});

export const removeMember = defineRoute({
  name: 'removeMember',
  method: 'DELETE',
  path: '/api/dashboard/members/{member}',
  summary: 'Remove a member from the account',
  description:
    'From their next request on, they can do nothing in the account; their sessions in it end. Keys and webhooks that they created stay, and tokens that they were shown keep working. Only owners can remove an owner. To remove yourself, use `leaveAccount`.',
  access: { scope: null, act: 'team.manage' },
  needsProof: true,
  response: { 204: null },
});

export const leaveAccount = defineRoute({
  name: 'leaveAccount',
  method: 'POST',
  path: '/api/dashboard/members/leave',
  summary: 'Leave the account',
  description:
    'The last owner cannot leave. A person who belongs to no other account is signed out.',
  access: 'person',
  needsProof: true,
  stateRefusal: { member: ['You are the only owner. Make another member an owner first.'] },
  response: { 200: success(z.object({ has_other_accounts: z.boolean() })) },
});
