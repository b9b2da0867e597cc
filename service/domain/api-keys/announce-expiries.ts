import type { NewEvent } from '#lib/contract/events/events.ts';
import { dayMs } from '#lib/durations.ts';
import { formatApiTime, formatExact } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/open.ts';
import type { MailContent } from '../../mail/mail.ts';
import { mintAccountId, type AccountId } from '../account-id.ts';
import { processEach } from '../process-each.ts';
import { dashboardLink } from '../dashboard-link.ts';
import type { AnnouncingContext } from '../events/announcing-context.ts';
import { publishEvent } from '../events/publish-event.ts';
import { createNotices, sendNotices, type Notice } from '../people/notices/notices.ts';
import { plainName, quoteName, quoteShortName } from '../quote-name.ts';
import { dueExpiries, passedNotices } from './rules.ts';
import { listUnannouncedExpiries, newestLastFour } from './store/keys-to-mail-about.ts';
import { lockApiKeys, updateApiKeyRow, type ApiKeyRow } from './store/keys.ts';

/** How many keys are announced in one run; the next run, some seconds later, takes the others. */
const batchSize = 500;

/**
 * Publishes events for keys that expire in 7 days or in 1 day, and for keys that have expired. Each
 * of these moments is announced once, by the process that comes first. Before the expiry, the
 * people who can change it also get an email. If several moments passed while no process ran, only
 * the latest is announced. Nothing is announced for a key that was revoked or given another expiry.
 */
export async function announceExpiries(ctx: AnnouncingContext): Promise<void> {
  const due = await listUnannouncedExpiries(ctx.db, dueExpiries(ctx.clock.now()), batchSize);
  await processEach(due, {
    act: async ({ accountId, id }) => await announceExpiry(ctx, mintAccountId(accountId), id),
    log: ctx.log,
    failure: 'the expiry of an API key was not announced yet',
    name: ({ id }) => ({ key_id: id }),
  });
}

async function announceExpiry(
  ctx: AnnouncingContext,
  accountId: AccountId,
  keyId: number,
): Promise<void> {
  const announced = await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const [key] = await lockApiKeys(tx, accountId, [keyId]);
    if (!key?.expiresAt || key.revokedAt !== null) return null;
    const passed = passedNotices(key.expiresAt, now);
    if (passed <= key.expiryNotices) return null;
    await updateApiKeyRow(tx, key, { expiryNotices: passed });
    const lastFour = await newestLastFour(tx, key);
    if (lastFour === null) throw new Error('a key has no token');
    const expiring = { key, lastFour, expiresAt: key.expiresAt, now };
    const event = describeExpiry(expiring);
    const notices = event.type === 'api_key.expiring' ? await notice(ctx, tx, expiring) : [];
    return {
      notices,
      toQueue: await publishEvent(ctx, tx, { accountId, origin: null, now, event }),
    };
  });
  if (!announced) return;
  ctx.laneNotifier.queue(announced.toQueue);
  sendNotices(ctx, announced.notices);
}

type Expiring = { key: ApiKeyRow; lastFour: string; expiresAt: Date; now: Date };

async function notice(ctx: AnnouncingContext, tx: Tx, expiring: Expiring): Promise<Notice[]> {
  const { key, expiresAt, now } = expiring;
  return await createNotices(tx, {
    accountId: mintAccountId(key.accountId),
    to: { act: 'api-keys.update' },
    subjectId: key.uuid,
    occasion: `${expiresAt.toISOString()} ${passedNotices(expiresAt, now)}`,
    now,
    mail: () => expiringKeyMail(ctx, expiring),
  });
}

function describeExpiry({ key, lastFour, expiresAt, now }: Expiring): NewEvent {
  const { id, uuid, name, type } = key;
  const data = {
    api_key: { id, uuid, name, type, last_four: lastFour },
    expires_at: formatApiTime(expiresAt),
  };
  const leftMs = expiresAt.getTime() - now.getTime();
  if (leftMs <= 0) return { type: 'api_key.expired', data };
  return {
    type: 'api_key.expiring',
    data: { ...data, expires_in: Math.ceil(leftMs / 1000) },
  };
}

/** The email that says a key expires soon, for those who can change its expiry. */
export function expiringKeyMail(
  ctx: Pick<Context, 'config'>,
  {
    key,
    lastFour,
    expiresAt,
    now,
  }: {
    key: Pick<ApiKeyRow, 'id' | 'accountId' | 'name'>;
    lastFour: string;
    expiresAt: Date;
    now: Date;
  },
): MailContent {
  const isLastDay = expiresAt.getTime() - now.getTime() <= dayMs;
  const when = isLastDay ? 'within a day' : 'within 7 days';
  return {
    kind: 'api_key.expiring',
    subject: `The API key ${quoteShortName(key.name)} expires ${when}`,
    paragraphs: [
      `The API key ${quoteName(key.name)} expires at the time below. From then on, every call made with it is refused. If the key is still needed, change its expiry before then.`,
    ],
    facts: [
      ['API key', plainName(key.name)],
      ['Token', `ends in ${lastFour}`],
      ['Expires', formatExact(expiresAt, 'UTC')],
    ],
    action: {
      label: 'Open the key',
      url: dashboardLink(ctx, key.accountId, `settings/api-keys/${key.id}`),
    },
  };
}
