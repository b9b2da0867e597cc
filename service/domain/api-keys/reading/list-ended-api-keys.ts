import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { EndedApiKeyStatus } from '#lib/contract/api-keys/ended-api-keys.ts';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../actor.ts';
import { readTimeCursor, writeTimeCursor } from '../../cursor.ts';
import { pageOf } from '../../page-of.ts';
import { describeApiKeys } from './describe-api-keys.ts';
import { endedAt } from '../rules.ts';
import { listEndedApiKeysWithTokens } from '../store/keys-with-tokens.ts';

/**
 * A page of the account's revoked or expired keys, those that ended last first. A key that was
 * revoked counts as revoked even if it had expired before.
 *
 * @throws ServiceError VALIDATION_ERROR on a cursor that this list did not return
 */
export async function listEndedApiKeys(
  ctx: Context,
  actor: Actor,
  query: { status: EndedApiKeyStatus; cursor?: string | undefined; limit: number },
): Promise<{ apiKeys: ApiKey[]; nextCursor: string | null }> {
  const { status, cursor, limit } = query;
  const now = ctx.clock.now();
  const list = `${status}-keys` as const;
  const found = await listEndedApiKeysWithTokens(ctx.db, actor.accountId, {
    status,
    now,
    before: readTimeCursor(list, cursor),
    limit: limit + 1,
  });
  const { rows, nextCursor } = pageOf(found, limit, ({ key }) =>
    writeTimeCursor(list, { at: endedAt(key), id: key.id }),
  );
  return {
    apiKeys: await describeApiKeys(ctx.db, rows, { accountId: actor.accountId, now }),
    nextCursor,
  };
}
