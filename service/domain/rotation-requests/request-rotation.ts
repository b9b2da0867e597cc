import type { z } from 'zod';
import type {
  RotationRequest,
  requestRotationInput,
} from '#lib/contract/api-keys/rotation-requests.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/open.ts';
import type { PersonActor } from '../actor.ts';
import { confirmActor } from '../api-keys/locked/confirm-actor.ts';
import type { ConfirmedActor } from '../api-keys/locked/confirm-actor.ts';
import { getApiKey } from '../api-keys/reading/get-api-key.ts';
import { scopesOfKey } from '../api-keys/rules.ts';
import { refuseEndedKey } from '../api-keys/locked/refuse-ended-key.ts';
import { invalid, notFound } from '../errors.ts';
import { getSupportAccess } from '../people/members/get-support-access.ts';
import { sendNotices } from '../notices/send-notices.ts';
import { listMembers } from '../people/members/list-members.ts';
import { describeRotationRequest } from './describe-rotation-request.ts';
import { makeRequest } from './make-request.ts';
import { mayBeAsked } from './rules.ts';
import { keyTarget } from './store/requests.ts';

type Key = NonNullable<ConfirmedActor['target']>;

/**
 * Asks another member to rotate a key, within 72 hours. Nothing happens to the key until they do.
 * Everybody who may rotate keys may ask, in particular for keys whose token they must not see. The
 * member also gets an email, unless they already got three about this key within a day: then the
 * request is still made, and it and the audit entry say that no email was sent. Of a leak, all
 * owners and admins get an email. The same request again, for example after a lost response, returns the open one.
 *
 * @throws ServiceError NOT_FOUND; FORBIDDEN; VALIDATION_ERROR with `details.member` if the member
 *   cannot rotate the key or is the caller, with `details.api_key` if the key is revoked or
 *   expired, or if it has an open request already, unless the caller reports a leak
 */
export async function requestRotation(
  ctx: Context,
  actor: PersonActor,
  input: { apiKey: string } & z.output<typeof requestRotationInput>,
): Promise<RotationRequest> {
  const { id } = await getApiKey(ctx, actor, input);
  const made = await ctx.db.transaction(async (tx) => {
    const { target: key } = await confirmActor(tx, actor, {
      config: ctx.config,
      clock: ctx.clock,
      act: 'api-keys.rotate',
      scope: 'api-keys:manage',
      targetId: id,
    });
    if (!key) throw notFound();
    // After the locks: a report of a leak is about every token that exists by then.
    const now = ctx.clock.now();
    refuseEndedKey(key, now);
    await refuseUnfitMember(tx, actor, { memberId: input.member, key });
    const asked = { ...input, act: 'rotate' } as const;
    return await makeRequest(tx, ctx, { actor, target: keyTarget(key), asked, now });
  });
  sendNotices(ctx, made.notices);
  return describeRotationRequest(made.record, ctx.clock.now());
}

async function refuseUnfitMember(
  tx: Tx,
  actor: PersonActor,
  { memberId, key }: { memberId: string; key: Key },
): Promise<void> {
  if (memberId === actor.personId) throw invalid('member', 'Choose somebody else.');
  const members = await listMembers(tx, actor.accountId);
  const member = members.find((each) => each.id === memberId);
  const support = await getSupportAccess(tx, actor.accountId);
  if (!mayBeAsked(member ? { role: member.role, support } : null, scopesOfKey(key))) {
    throw invalid('member', 'Choose a member who may see the token of this key.');
  }
}
