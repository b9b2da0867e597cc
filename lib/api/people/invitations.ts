import 'server-only';
import type { z } from 'zod';
import * as contract from '../../contract/people/invitations.ts';
import type { Invitation, InvitationTerms } from '../../contract/people/invitations.ts';
import { request } from '../client/client.ts';
import { cookiesOf, earlierSession } from './session.ts';
import type { NewSession } from './session.ts';

export type CreateInvitationInput = z.input<typeof contract.createInvitationInput>;
export type AcceptInvitationInput = z.input<typeof contract.acceptInvitationInput>;
export type JoinAccountInput = z.input<typeof contract.joinAccountInput>;

/** `link`: null if it was emailed. Otherwise only this response contains it. */
export type DeliveredInvitation = Invitation & { link: string | null };

/** Invitations to the account that nobody accepted yet, newest first. @throws ApiError */
export async function listInvitations(): Promise<Invitation[]> {
  return (await request(contract.listInvitations, {})).data;
}

/** Invites somebody to the account. @throws ApiError */
export async function createInvitation(input: CreateInvitationInput): Promise<DeliveredInvitation> {
  return (await request(contract.createInvitation, { body: input })).data;
}

/** Replaces the link of an invitation; the new link works for 72 hours. @throws ApiError */
export async function renewInvitation(invitation: string): Promise<DeliveredInvitation> {
  return (await request(contract.renewInvitation, { params: { invitation } })).data;
}

/** Revokes an invitation. @throws ApiError NOT_FOUND, also after it was accepted */
export async function revokeInvitation(invitation: string): Promise<void> {
  await request(contract.revokeInvitation, { params: { invitation } });
}

/** What an invitation offers to whoever has its token. @throws ApiError if it is no longer valid */
export async function checkInvitation(token: string): Promise<InvitationTerms> {
  return (await request(contract.checkInvitation, { body: { invitation_token: token } })).data;
}

/** Accepts an invitation with a new password, and signs in. @throws ApiError */
export async function acceptInvitation(input: AcceptInvitationInput): Promise<NewSession> {
  const body = { ...input, ...(await earlierSession()) };
  return cookiesOf((await request(contract.acceptInvitation, { body })).data);
}

/** Accepts an invitation as the person who is signed in. @throws ApiError */
export async function joinAccount(input: JoinAccountInput): Promise<void> {
  await request(contract.joinAccount, { body: input }, { account: null });
}
