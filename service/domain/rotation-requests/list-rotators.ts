import type { Rotator } from '#lib/contract/api-keys/rotation-requests.ts';
import type { Context } from '../../context.ts';
import type { PersonActor } from '../actor.ts';
import { getApiKey } from '../api-keys/reading/get-api-key.ts';
import { getSupportAccess } from '../people/members/get-support-access.ts';
import { listMembers } from '../people/members/list-members.ts';
import { mayBeAsked } from './rules.ts';

/** The other members who can be asked to rotate a key, by name. @throws ServiceError NOT_FOUND */
export async function listRotators(
  ctx: Context,
  actor: PersonActor,
  input: { apiKey: string },
): Promise<Rotator[]> {
  const key = await getApiKey(ctx, actor, input);
  const members = await listMembers(ctx.db, actor.accountId);
  // Not `actor.support`: the actor may be installation support, whose access differs from members'.
  const support = await getSupportAccess(ctx.db, actor.accountId);
  return members.filter(
    ({ id, role }) => id !== actor.personId && mayBeAsked({ role, support }, key.scopes),
  );
}
