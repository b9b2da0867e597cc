import { dayMs } from '#lib/durations.ts';
import type { Context } from '../../../context.ts';
import { mintAccountId } from '../../account-id.ts';
import { createNotices } from '../../notices/create-notices.ts';
import { sendNotices } from '../../notices/send-notices.ts';
import { listUnusedKeys } from '../store/unused-keys.ts';
import { unusedKeyMail } from './unused-key-mail.ts';

/** After this time without a call somebody is told. */
const unusedMs = 90 * dayMs;

/**
 * For how long after that they are told all the same, because no process ran. Of keys that were unused
 * for longer when the service was upgraded nobody is told: an account could get an email for each.
 */
const lateMs = 7 * dayMs;

const batchSize = 500;

/**
 * Tells by email, once for each time a key falls silent, that no call was made with it for 90 days:
 * those who can revoke it. Nothing happens to the key.
 */
export async function mailUnusedKeys(
  ctx: Pick<Context, 'db' | 'clock' | 'mail' | 'config'>,
): Promise<void> {
  const now = ctx.clock.now();
  const to = new Date(now.getTime() - unusedMs);
  const from = new Date(to.getTime() - lateMs);
  for (const key of await listUnusedKeys(ctx.db, { from, to, now, limit: batchSize })) {
    const notices = await ctx.db.transaction(
      async (tx) =>
        await createNotices(tx, {
          accountId: mintAccountId(key.accountId),
          to: { act: 'api-keys.revoke' },
          subjectId: key.uuid,
          occasion: key.unusedSince.toISOString(),
          now,
          mail: () => unusedKeyMail(ctx, key),
        }),
    );
    sendNotices(ctx, notices);
  }
}
