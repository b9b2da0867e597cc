import { databaseLimits } from '../../limiter/limits.ts';
import type { Context } from '../../context.ts';
import { mintAccountId } from '../account-id.ts';
import { plainName } from '../quote-name.ts';
import { outcomeMail } from './outcome-mail.ts';
import {
  countRequestMails,
  findRotationRequest,
  listOwingRequests,
  lockRotationRequest,
  noteToldOutcome,
} from './store.ts';
import type { RotationRequestRecord } from './store.ts';

const batch = 100;

/**
 * Tells by mail what became of rotation requests, of all accounts: whoever asked, or the named member
 * where it was the asker who ended it. Nobody is told of what they did themselves, nor of one key more
 * than three times a day. Whom to tell is written down with the end of each request, so a crash
 * loses none; one that happens between the mail and its note repeats that mail.
 */
export async function tellOutcomes(
  ctx: Pick<Context, 'db' | 'clock' | 'mail' | 'config'>,
): Promise<void> {
  const now = ctx.clock.now();
  for (const { accountId: account, uuid } of await listOwingRequests(ctx.db, batch)) {
    const accountId = mintAccountId(account);
    await ctx.db.transaction(async (tx) => {
      const locked = await lockRotationRequest(tx, accountId, uuid);
      const record = locked?.owesOutcome ? await findRotationRequest(tx, accountId, uuid) : null;
      if (!record) return;
      const { request, key } = record;
      const recipient = recipientOf(record);
      const { size, windowSeconds } = databaseLimits['rotation-request-mail'];
      const since = new Date(now.getTime() - windowSeconds * 1000);
      const isTold =
        recipient !== null &&
        (await countRequestMails(tx, { key, personId: recipient.id, since })) < size;
      await noteToldOutcome(tx, request, { to: isTold ? recipient.id : null, at: now });
      if (!isTold) return;
      const { email, name } = recipient;
      ctx.mail.send({ ...outcomeMail(ctx, record), to: email, name: plainName(name) });
    });
  }
}

/** Whoever did not end it; null if that is a member who was never told of it, or who left. */
function recipientOf(
  record: RotationRequestRecord,
): { id: string; name: string; email: string } | null {
  const { request, requestedBy, member, memberRole } = record;
  const { closedBy, closedBecause, mailedAt } = request;
  if (closedBy?.id !== requestedBy.id && closedBecause !== 'requester_left') return requestedBy;
  return mailedAt === null || memberRole === null || closedBy?.id === member.id ? null : member;
}
