import type { Member } from '#lib/contract/people/members.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { listMemberRows } from '../store/members.ts';
import { describeMember } from './describe-member.ts';

/** The members of the actor's account, by name. */
export async function getTeam(ctx: Context, actor: PersonActor): Promise<Member[]> {
  return (await listMemberRows(ctx.db, actor.accountId)).map(describeMember);
}
