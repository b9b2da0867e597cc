import { dayMs } from '#lib/durations.ts';
import type { Context } from '../../../context.ts';
import { mintAccountId } from '../../account-id.ts';
import { actOnEach } from '../../act-on-each.ts';
import { createNotices } from '../../notices/create-notices.ts';
import { sendNotices } from '../../notices/send-notices.ts';
import { listUnusedKeys } from '../store/unused-keys.ts';
import type { UnusedKey } from '../store/unused-keys.ts';
import { unusedKeyMail } from './unused-key-mail.ts';

/** How long a key must be unused before an email is sent. */
const unusedMs = 90 * dayMs;

/**
 * For how long after that the email is still sent if no process was running at the time. No email is
 * sent about a key that was unused for longer: after a long outage, an account could get one for
 * each of its keys.
 */
const lateMs = 7 * dayMs;

const batchSize = 500;

/**
 * Emails those who can revoke a key that no call was made with it for 90 days, once for each such
 * period. The key does not change. If an email fails, the next run sends it.
 */
export async function mailUnusedKeys(
  ctx: Pick<Context, 'db' | 'clock' | 'log' | 'mail' | 'config'>,
): Promise<void> {
  const now = ctx.clock.now();
  const to = new Date(now.getTime() - unusedMs);
  const from = new Date(to.getTime() - lateMs);
  await actOnEach(await listUnusedKeys(ctx.db, { from, to, now, limit: batchSize }), {
    act: async (key) => await mailUnusedKey(ctx, { key, now }),
    log: ctx.log,
    failure: 'the email about an unused API key could not be sent yet',
    name: ({ id }) => ({ key_id: id }),
  });
}

async function mailUnusedKey(
  ctx: Pick<Context, 'db' | 'clock' | 'mail' | 'config'>,
  { key, now }: { key: UnusedKey; now: Date },
): Promise<void> {
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
