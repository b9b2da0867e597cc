import { z } from 'zod';
import { boundedText } from '../fields/bounded-text.ts';
import { email, newPassword } from './credentials.ts';
import { earlierSession, newSession } from './new-session.ts';
import { name, success, timestamp, uuid } from '../fields/fields.ts';
import { secret } from '../fields/secret.ts';
import { roles } from '../rights/roles.ts';
import { supportAccess } from '../rights/support-access.ts';
import { defineRoute } from '../route.ts';

/** How long an invitation can be accepted, in hours. */
export const invitationHours = 72;

export const invitation = z.object({
  uuid,
  email: z.string(),
  role: z.enum(roles),
  invited_by: z.object({ id: z.string().nullable(), name: z.string() }),
  created_at: timestamp.describe('When it was created, or its link was last renewed.'),
  expires_at: timestamp.describe('72 hours after that. In the past: it has expired.'),
  was_mailed: z
    .boolean()
    .describe(
      'Whether the link was emailed. If not, it was shown to the person who created the invitation.',
    ),
});

export type Invitation = z.infer<typeof invitation>;

export const listInvitations = defineRoute({
  name: 'listInvitations',
  method: 'GET',
  path: '/api/dashboard/invitations',
  summary: 'List the invitations that nobody accepted yet, including expired ones, newest first',
  access: { scope: null, act: 'team.manage' },
  response: { 200: success(z.array(invitation)) },
});

/** Only one response contains the link, and only if there is no mail server to send it. */
const invitationWithLink = success(
  invitation.extend({
    link: secret(
      z
        .string()
        .nullable()
        .describe('The link to accept it, if the service sends no email; otherwise null.'),
    ),
  }),
);

export type DeliveredInvitation = z.infer<typeof invitationWithLink>['data'];

export const createInvitationInput = z.strictObject({
  email,
  role: z.enum(roles, { error: 'Choose a role.' }),
  support_tokens: supportAccess.shape.tokens
    .optional()
    .describe(
      'Changes which new tokens members with the role support can see, if the invitation is made. Only for owners.',
    ),
});

export const createInvitation = defineRoute({
  name: 'createInvitation',
  method: 'POST',
  path: '/api/dashboard/invitations',
  summary: 'Invite someone to the account',
  description:
    'The invitation is for this email address only, and works once within 72 hours. Only owners can invite owners. An address has one invitation at a time, which can be sent again. An invitation is void once the person who created it may no longer invite people.',
  access: { scope: null, act: 'team.manage' },
  oneTime: true,
  needsProof: true,
  body: createInvitationInput,
  response: { 201: invitationWithLink },
});

export const renewInvitation = defineRoute({
  name: 'renewInvitation',
  method: 'POST',
  path: '/api/dashboard/invitations/{invitation}/renew',
  summary: 'Send an invitation again, with a new link that works for 72 hours',
  description: 'The previous link no longer works.',
  access: { scope: null, act: 'team.manage' },
  oneTime: true,
  needsProof: true,
  response: { 201: invitationWithLink },
});

export const revokeInvitation = defineRoute({
  name: 'revokeInvitation',
  method: 'DELETE',
  path: '/api/dashboard/invitations/{invitation}',
  summary: 'Revoke an invitation, so that its link no longer works',
  access: { scope: null, act: 'team.manage' },
  response: { 204: null },
});

const invitationToken = boundedText(200);

const checkInvitationInput = z.strictObject({ invitation_token: invitationToken });

/** What an invitation says to the person who has its link. */
export const invitationTerms = z.object({
  account_name: z.string(),
  invited_by: z.string(),
  email: z.string(),
  role: z.enum(roles),
  expires_at: timestamp,
});

export type InvitationTerms = z.infer<typeof invitationTerms>;

export const checkInvitation = defineRoute({
  name: 'checkInvitation',
  method: 'POST',
  path: '/api/dashboard/invitations/check',
  summary: 'Get what an invitation offers',
  description:
    'Does not use up the link, and does not reveal whether someone with its address exists.',
  access: 'dashboard',
  body: checkInvitationInput,
  response: { 200: success(invitationTerms) },
});

export const acceptInvitationInput = z.strictObject({
  invitation_token: invitationToken,
  name: name.describe('The name of a new person. An existing person keeps their name.'),
  password: newPassword,
});

export const acceptInvitation = defineRoute({
  name: 'acceptInvitation',
  method: 'POST',
  path: '/api/dashboard/invitations/accept',
  summary: 'Accept an invitation with a new password, and sign in',
  description:
    'For a new person, and for a person whose address was never verified and who was emailed the link: their other sessions end. Anyone else who has the address signs in instead, as `details.email` explains.',
  access: 'dashboard',
  oneTime: true,
  body: z.strictObject({ ...acceptInvitationInput.shape, ...earlierSession }),
  response: { 201: newSession },
});

export const joinAccountInput = z.strictObject({
  invitation_token: invitationToken,
  new_password: newPassword
    .optional()
    .describe(
      'Required from a person whose address was never verified. Ends their other sessions.',
    ),
});

export const joinAccount = defineRoute({
  name: 'joinAccount',
  method: 'POST',
  path: '/api/dashboard/invitations/join',
  summary: 'Accept an invitation as the person who is signed in',
  description: 'Their email address must be the invited one. They may belong to no account yet.',
  access: 'session',
  needsProof: { fields: ['new_password'] },
  body: joinAccountInput,
  response: { 201: success(z.object({ account: z.object({ id: z.string(), name: z.string() }) })) },
});
