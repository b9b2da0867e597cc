import { and, desc, eq } from 'drizzle-orm';
import type { Db } from '../../../db/open.ts';
import { apiKeys } from '../../../db/schema/api-keys/api-keys.ts';
import { rotationRequests } from '../../../db/schema/api-keys/rotation-requests.ts';
import type { AccountId } from '../../account-id.ts';

/** Uuids of the newest requests about the key with this uuid, up to `limit`. */
export async function listRequestUuids(
  db: Db,
  accountId: AccountId,
  { keyUuid, limit }: { keyUuid: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .select({ uuid: rotationRequests.uuid })
    .from(rotationRequests)
    .innerJoin(
      apiKeys,
      and(
        eq(apiKeys.accountId, rotationRequests.accountId),
        eq(apiKeys.id, rotationRequests.apiKeyId),
      ),
    )
    .where(and(eq(rotationRequests.accountId, accountId), eq(apiKeys.uuid, keyUuid)))
    .orderBy(desc(rotationRequests.createdAt))
    .limit(limit);
  return rows.map(({ uuid }) => uuid);
}
