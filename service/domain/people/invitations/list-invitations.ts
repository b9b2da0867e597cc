import type { Invitation } from '#lib/contract/people/invitations.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { listInvitationRecords } from '../store/invitations.ts';
import { describeInvitation } from './describe-invitation.ts';

/** The open invitations to the actor's account, newest first. */
export async function listInvitations(ctx: Context, actor: PersonActor): Promise<Invitation[]> {
  return (await listInvitationRecords(ctx.db, actor.accountId)).map(describeInvitation);
}
