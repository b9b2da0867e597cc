import { and, desc, eq, or } from 'drizzle-orm';
import type { Db } from '../../../db/open.ts';
import { apiKeys } from '../../../db/schema/api-keys/api-keys.ts';
import { rotationRequests } from '../../../db/schema/api-keys/rotation-requests.ts';
import { webhooks } from '../../../db/schema/webhooks/webhooks.ts';
import type { AccountId } from '../../account-id.ts';

/** Uuids of the newest requests about the key or webhook with this uuid, up to `limit`. */
export async function listRequestUuids(
  db: Db,
  accountId: AccountId,
  { targetUuid, limit }: { targetUuid: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .select({ uuid: rotationRequests.uuid })
    .from(rotationRequests)
    .leftJoin(
      apiKeys,
      and(
        eq(apiKeys.accountId, rotationRequests.accountId),
        eq(apiKeys.id, rotationRequests.apiKeyId),
      ),
    )
    .leftJoin(
      webhooks,
      and(
        eq(webhooks.accountId, rotationRequests.accountId),
        eq(webhooks.id, rotationRequests.webhookId),
      ),
    )
    .where(
      and(
        eq(rotationRequests.accountId, accountId),
        or(eq(apiKeys.uuid, targetUuid), eq(webhooks.uuid, targetUuid)),
      ),
    )
    .orderBy(desc(rotationRequests.createdAt))
    .limit(limit);
  return rows.map(({ uuid }) => uuid);
}
