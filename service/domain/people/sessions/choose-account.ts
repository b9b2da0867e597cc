import type { Session } from '#lib/contract/people/sessions.ts';
import type { Context } from '../../../context.ts';
import { mintAccountId } from '../../account-id.ts';
import type { PersonActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { ServiceError, notFound } from '../../errors.ts';
import { lockRights } from '../members/confirm-member.ts';
import { currentSessionId } from './find-session.ts';
import { findPersonActor } from './find-person.ts';
import { getSession } from './get-session.ts';
import { isHiddenFromMember } from '../accounts/deletion.ts';
import { listMemberships } from '../store/members.ts';
import { updateSession } from '../store/sessions.ts';

/**
 * Makes another of the person's accounts the one with which their session opens, and which calls
 * use that name no account. The account's audit log records it.
 *
 * @throws ServiceError NOT_FOUND for an account that does not exist or that the person does not
 *   belong to; UNAUTHORIZED if the session ended in the meantime
 */
export async function chooseAccount(
  ctx: Context,
  actor: PersonActor,
  input: { account: string; sessionToken: string },
): Promise<Session> {
  const { sessionToken } = input;
  const sessionId = await currentSessionId(ctx, sessionToken);
  // If the person does not belong to this account, the transaction changes nothing.
  const accountId = mintAccountId(input.account.toLowerCase());
  await ctx.db.transaction(async (tx) => {
    const rights = await lockRights(tx, accountId, actor.personId);
    const memberships = await listMemberships(tx, actor.personId);
    const membership = memberships.find((one) => one.accountId === accountId);
    if (!rights || (membership && isHiddenFromMember(membership, ctx.clock.now())))
      throw notFound();
    const session = { personId: actor.personId, sessionId };
    const isOpen = await updateSession(tx, session, { chosenAccountId: accountId });
    if (!isOpen) throw new ServiceError('UNAUTHORIZED');
    await recordAudit(tx, {
      actor: { ...actor, ...rights, accountId },
      action: 'session.account_chosen',
      at: ctx.clock.now(),
      target: { kind: 'person', id: actor.personId, name: actor.personName },
    });
  });
  const chosen = await findPersonActor(ctx, {
    sessionToken,
    origin: actor.origin,
    account: accountId,
  });
  if (!chosen) throw new ServiceError('UNAUTHORIZED');
  return await getSession(ctx, chosen, sessionToken);
}
