import type { Invitation } from '#lib/contract/people/invitations.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { listInvitationRecords } from '../store/invitations.ts';
import { describeInvitation } from './describe-invitation.ts';

/** The invitations to the actor's account that nobody accepted yet, newest first. */
export async function listInvitations(ctx: Context, actor: PersonActor): Promise<Invitation[]> {
  return (await listInvitationRecords(ctx.db, actor.accountId)).map(describeInvitation);
}
