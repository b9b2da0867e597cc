import { databaseLimits } from '../../limiter/limits.ts';
import type { Tx } from '../../db/open.ts';
import { countRequestMails, lockRequestMails } from './store/request-mails.ts';

/**
 * Whether a person may get another email about requests for a key at `now`. Until the transaction
 * ends, nobody else is emailed about the key's requests, so that the limit is never exceeded.
 */
export async function mayBeMailed(
  tx: Tx,
  { key, personId, now }: { key: { accountId: string; id: number }; personId: string; now: Date },
): Promise<boolean> {
  await lockRequestMails(tx, key);
  const { size, windowSeconds } = databaseLimits['rotation-request-mail'];
  const since = new Date(now.getTime() - windowSeconds * 1000);
  return (await countRequestMails(tx, { key, personId, since })) < size;
}
