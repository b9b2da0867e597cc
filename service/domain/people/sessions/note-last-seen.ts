import type { Context } from '../../../context.ts';
import { mintAccountId } from '../../account-id.ts';
import { updateLastSeen } from '../store/members.ts';
import type { Membership } from '../store/members.ts';

/** How often an active person causes a write, at most. */
const noteMs = 60_000;

/**
 * Records when and with which browser a member used the dashboard in an account. If the database
 * cannot write, calls that only read still succeed.
 */
export async function noteLastSeen(
  ctx: Pick<Context, 'db' | 'clock' | 'log'>,
  {
    membership,
    personId,
    agent,
  }: { membership: Membership; personId: string; agent: string | null },
): Promise<void> {
  const now = ctx.clock.now();
  const notedBefore = new Date(now.getTime() - noteMs);
  if (membership.lastSeenAt && membership.lastSeenAt > notedBefore) return;
  const accountId = mintAccountId(membership.accountId);
  await updateLastSeen(ctx.db, { accountId, personId }, { now, agent, notedBefore }).catch(
    (error: unknown) => ctx.log.debug({ err: error }, 'could not note when a member was last seen'),
  );
}
