import type { Tx } from '../../db/open.ts';
import type { ActorReference } from '../../db/schema/columns.ts';
import type { AccountId } from '../account-id.ts';
import { insertApiKey } from './store/keys.ts';
import { insertToken } from './store/tokens.ts';
import { digestToken, lastFour } from '../../tokens/token.ts';

/**
 * Stores a token that an operator chose as an ordinary `full` key named "Initial key".
 * The token must be well formed; the caller checks.
 */
export async function importInitialKey(
  tx: Tx,
  {
    accountId,
    token,
    by: createdBy,
    now,
  }: { accountId: AccountId; token: string; by: ActorReference; now: Date },
): Promise<void> {
  const key = await insertApiKey(tx, {
    accountId,
    name: 'Initial key',
    type: 'full',
    createdAt: now,
    createdBy,
    updatedAt: now,
  });
  await insertToken(tx, {
    accountId,
    apiKeyId: key.id,
    digest: digestToken(token),
    lastFour: lastFour(token),
    createdAt: now,
    createdBy,
    shownTo: null,
  });
}
