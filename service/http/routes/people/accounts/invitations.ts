import type { Hono } from 'hono';
import * as contract from '#lib/contract/people/invitations.ts';
import type { Context } from '../../../../context.ts';
import {
  acceptInvitation,
  findAcceptanceProblems,
  joinAccount,
} from '../../../../domain/people/invitations/accept-invitation.ts';
import { checkInvitation } from '../../../../domain/people/invitations/find-open-invitation.ts';
import {
  createInvitation,
  listInvitations,
  renewInvitation,
} from '../../../../domain/people/invitations/create-invitation.ts';
import { revokeInvitation } from '../../../../domain/people/invitations/revoke-invitation.ts';
import { respondWithNewSession } from '../respond-with-new-session.ts';
import { mount } from '../../../mount.ts';

/** Inviting people to an account, and accepting. For people: API keys cannot call them. */
export function mountInvitationRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, contract.listInvitations).respond(
    async ({ actor }) => await listInvitations(ctx, actor),
  );

  mount(app, ctx, contract.createInvitation).respond(
    async ({ actor, body }) => await createInvitation(ctx, actor, body),
  );

  mount(app, ctx, contract.renewInvitation).respond(
    async ({ actor, params }) => await renewInvitation(ctx, actor, params),
  );

  mount(app, ctx, contract.revokeInvitation).respond(
    async ({ actor, params }) => await revokeInvitation(ctx, actor, params),
  );

  mount(app, ctx, contract.checkInvitation).respond(
    async ({ body, origin }) =>
      await checkInvitation(ctx, { token: body.invitation_token, origin }),
  );

  mount(app, ctx, contract.acceptInvitation).handle(
    async ({ body, origin }) => {
      const { earlier_session: earlierSession, ...input } = body;
      return respondWithNewSession(await acceptInvitation(ctx, { input, earlierSession, origin }));
    },
    async (given, { origin }) => await findAcceptanceProblems(ctx, { input: given, origin }),
  );

  mount(app, ctx, contract.joinAccount).respond(async ({ actor, body, sessionToken }) => {
    const account = await joinAccount(ctx, actor, {
      input: body,
      sessionToken,
    });
    return { account };
  });
}
