import { databaseLimits } from '../../limiter/limits.ts';
import type { Tx } from '../../db/open.ts';
import { countLeakMails, countRequestMails, lockRequestMails } from './store/request-mails.ts';
import type { RequestTarget } from './store/requests.ts';

const { size, windowSeconds } = databaseLimits['rotation-request-mail'];

/**
 * Whether a person may get another email about requests for a key or webhook at `now`. Until the
 * transaction ends, nobody else is emailed about them, so that the limit is never exceeded.
 */
export async function mayBeMailed(
  tx: Tx,
  { target, personId, now }: { target: RequestTarget; personId: string; now: Date },
): Promise<boolean> {
  await lockRequestMails(tx, target);
  return (await countRequestMails(tx, { target, personId, since: sinceOf(now) })) < size;
}

/**
 * The same for a report of a leak, which all owners and admins are told. Only such reports count
 * towards its limit: other requests must not keep a leak from being told. What is beyond the limit is
 * emailed within the hour, by `mailHeldLeakReports`.
 */
export async function mayLeakBeMailed(
  tx: Tx,
  { target, now }: { target: RequestTarget; now: Date },
): Promise<boolean> {
  await lockRequestMails(tx, target);
  return (await countLeakMails(tx, { target, since: sinceOf(now) })) < size;
}

function sinceOf(now: Date): Date {
  return new Date(now.getTime() - windowSeconds * 1000);
}
