import { dayMs } from '#lib/durations.ts';
import { formatExact } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import type { MailContent } from '../../mail/mail.ts';
import { mintAccountId } from '../account-id.ts';
import { processEach } from '../process-each.ts';
import { dashboardLink } from '../dashboard-link.ts';
import { createNotices, sendNotices } from '../people/notices/notices.ts';
import { plainName, quoteName, quoteShortName } from '../quote-name.ts';
import { listUnusedKeys, type UnusedKey } from './store/keys-to-mail-about.ts';

/** How long a key must be unused before an email is sent. */
const unusedMs = 90 * dayMs;

/** How late the email may still be sent: after a long outage an account would get too many. */
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
  await processEach(await listUnusedKeys(ctx.db, { from, to, now, limit: batchSize }), {
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

/** Says that no successful call was made with a key for 90 days, to those who can revoke it. */
export function unusedKeyMail(
  ctx: Pick<Context, 'config'>,
  key: Pick<UnusedKey, 'id' | 'accountId' | 'name' | 'isUsed' | 'unusedSince'>,
): MailContent {
  return {
    kind: 'api_key.unused',
    subject: `The API key ${quoteShortName(key.name)} has not been used for 90 days`,
    paragraphs: [
      `No successful call was made with the API key ${quoteName(key.name)} for 90 days. If it is no longer needed, revoke it: an unused key can still be stolen.`,
    ],
    facts: [
      ['API key', plainName(key.name)],
      [key.isUsed ? 'Last used' : 'Created, never used', formatExact(key.unusedSince, 'UTC')],
    ],
    action: {
      label: 'Open the key',
      url: dashboardLink(ctx, key.accountId, `settings/api-keys/${key.id}`),
    },
    closing: ['The key does not change automatically.'],
  };
}
