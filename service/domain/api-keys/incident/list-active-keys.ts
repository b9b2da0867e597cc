import type { Context } from '../../../context.ts';
import type { AccountId } from '../../account-id.ts';
import { invalid } from '../../errors.ts';
import { listApiKeysWithTokens } from '../store/keys-with-tokens.ts';
import type { ApiKeyWithTokens } from '../store/keys-with-tokens.ts';

/** The keys of an account that work, newest first, each with its valid tokens. */
export async function listActiveKeys(
  ctx: Pick<Context, 'db' | 'clock'>,
  accountId: AccountId,
): Promise<ApiKeyWithTokens[]> {
  return await listApiKeysWithTokens(ctx.db, accountId, { now: ctx.clock.now(), endedLimit: 0 });
}

/**
 * Those with these UUIDs.
 * @throws ServiceError VALIDATION_ERROR on `keys` unless all of them are active keys of the account
 */
export async function findActiveKeys(
  ctx: Pick<Context, 'db' | 'clock'>,
  accountId: AccountId,
  uuids: readonly string[],
): Promise<ApiKeyWithTokens[]> {
  const wanted = new Set(uuids.map((uuid) => uuid.toLowerCase()));
  const found = (await listActiveKeys(ctx, accountId)).filter(({ key }) => wanted.has(key.uuid));
  if (found.length === wanted.size) return found;
  throw invalid(
    'keys',
    'Some of these keys are no longer active keys of this account. Reload the list.',
  );
}
