import type { NewEvent } from '#lib/contract/events/events.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/open.ts';
import { mintAccountId } from '../../account-id.ts';
import type { AccountId } from '../../account-id.ts';
import { publishEvent } from '../../events/publish-event.ts';
import { lockApiKeys, updateApiKeyRow } from '../store.ts';
import type { ApiKeyRow } from '../store.ts';
import { listUnannouncedExpiries, newestLastFour } from '../store/expiring-keys.ts';
import { dueExpiries, passedNotices } from './expiry-notices.ts';

type AnnouncingContext = Pick<Context, 'db' | 'clock' | 'log' | 'laneTouches'>;

/** How many keys are announced at a time; the others have their turn some seconds later. */
const batchSize = 500;

/**
 * Announces, as events, keys that expire in 7 days or in 1 day, and those that have expired: each
 * moment once, by whichever process comes first. Of moments that passed while no process ran, the
 * latest is announced. A key that was revoked, or given another expiry, is not.
 */
export async function announceExpiries(ctx: AnnouncingContext): Promise<void> {
  const due = await listUnannouncedExpiries(ctx.db, dueExpiries(ctx.clock.now()), batchSize);
  for (const { accountId, id } of due) {
    try {
      await announceExpiry(ctx, mintAccountId(accountId), id);
    } catch (error) {
      ctx.log.error({ err: error, keyId: id }, 'the expiry of an API key was not announced yet');
    }
  }
}

async function announceExpiry(
  { db, clock, laneTouches }: AnnouncingContext,
  accountId: AccountId,
  keyId: number,
): Promise<void> {
  const webhookIds = await db.transaction(async (tx) => {
    const now = clock.now();
    const [key] = await lockApiKeys(tx, accountId, [keyId]);
    if (!key?.expiresAt || key.revokedAt !== null) return [];
    const notices = passedNotices(key.expiresAt, now);
    if (notices <= key.expiryNotices) return [];
    await updateApiKeyRow(tx, key, { expiryNotices: notices });
    const event = await describeExpiry(tx, { key, expiresAt: key.expiresAt, now });
    return await publishEvent(tx, { accountId, now, event });
  });
  laneTouches.add(webhookIds);
}

async function describeExpiry(
  tx: Tx,
  { key, expiresAt, now }: { key: ApiKeyRow; expiresAt: Date; now: Date },
): Promise<NewEvent> {
  const lastFour = await newestLastFour(tx, key);
  if (lastFour === null) throw new Error('a key has no token');
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
