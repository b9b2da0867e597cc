import { and, eq, gt, isNull, or, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../db/open.ts';
import { apiKeys } from '../../db/schema/api-keys/api-keys.ts';
import { accounts } from '../../db/schema/people/accounts.ts';
import { webhooks } from '../../db/schema/webhooks/webhooks.ts';
import type { AccountId } from '../account-id.ts';

type Used = { apiKeys: number; webhooks: number };
/** Null where the installation's quota applies. */
type OwnQuotas = { maxKeys: number | null; maxWebhooks: number | null };

/** How many keys that are neither revoked nor expired and how many webhooks an account has. */
export async function countUsed(
  db: Db | Tx,
  accountId: AccountId,
  now: Date,
): Promise<Used & OwnQuotas> {
  const isActive = and(
    eq(apiKeys.accountId, accountId),
    isNull(apiKeys.revokedAt),
    or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
  );
  const [row] = await db
    .select({
      apiKeys: db.$count(apiKeys, isActive),
      webhooks: db.$count(webhooks, eq(webhooks.accountId, accountId)),
      maxKeys: accounts.maxKeys,
      maxWebhooks: accounts.maxWebhooks,
    })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  if (!row) throw new Error('the account was not found');
  return row;
}

/** Makes creations in one account wait for each other, so that the quota is never exceeded. */
export async function lockQuota(
  tx: Tx,
  accountId: AccountId,
  of: 'api_keys' | 'webhooks',
): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${of}:${accountId}`}, 0))`);
}
