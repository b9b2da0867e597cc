'use server';

import * as api from '../../api/people/invitations.ts';
import type {
  AcceptInvitationInput,
  CreateInvitationInput,
  DeliveredInvitation,
  JoinAccountInput,
} from '../../api/people/invitations.ts';
import type { InvitationTerms } from '../../contract/people/invitations.ts';
import { setCookies } from '../../cookies/set-cookies.ts';
import { requiredLinkToken, withLinkToken } from '../../session/link-token.ts';
import { actionArguments } from '../action-arguments.ts';
import type { ActionResult } from '../action-result.ts';
import { runServerAction, runPublicServerAction } from '../run-server-action.ts';

/**
 * Invites somebody to the account. Only this response contains the link, and only if it was not
 * emailed.
 */
export async function createInvitation(
  input: CreateInvitationInput,
): Promise<ActionResult<{ invitation: DeliveredInvitation }>> {
  return await runServerAction(actionArguments.createInvitation, [input], async (valid) => ({
    invitation: await api.createInvitation(...valid),
  }));
}

/** The same for an existing invitation, whose link is replaced. @param invitation uuid */
export async function renewInvitation(
  invitation: string,
): Promise<ActionResult<{ invitation: DeliveredInvitation }>> {
  return await runServerAction(actionArguments.renewInvitation, [invitation], async (valid) => ({
    invitation: await api.renewInvitation(...valid),
  }));
}

/** @param invitation uuid */
export async function revokeInvitation(invitation: string): Promise<ActionResult> {
  return await runServerAction(actionArguments.revokeInvitation, [invitation], async (valid) => {
    await api.revokeInvitation(...valid);
    return {};
  });
}

/** What the invitation that was opened in this browser offers. */
export async function checkInvitation(): Promise<ActionResult<{ terms: InvitationTerms }>> {
  return await runPublicServerAction(actionArguments.checkInvitation, [], async () => ({
    terms: await api.checkInvitation(await requiredLinkToken('invitation')),
  }));
}

/** Accepts the invitation with a new password, and signs in. */
export async function acceptInvitation(
  input: Omit<AcceptInvitationInput, 'invitation_token'>,
): Promise<ActionResult> {
  return await runPublicServerAction(actionArguments.acceptInvitation, [input], async ([valid]) => {
    const session = await withLinkToken('invitation', (token) =>
      api.acceptInvitation({ ...valid, invitation_token: token }),
    );
    await setCookies(session);
    return {};
  });
}

/**
 * Accepts the invitation as the signed-in person, who may belong to no account yet. The session then
 * opens with the account. UNAUTHORIZED: nobody is signed in.
 */
export async function joinAccount(
  input: Omit<JoinAccountInput, 'invitation_token'>,
): Promise<ActionResult> {
  return await runPublicServerAction(actionArguments.joinAccount, [input], async ([valid]) => {
    await withLinkToken('invitation', (token) =>
      api.joinAccount({ ...valid, invitation_token: token }),
    );
    return {};
  });
}
