import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { Db, Tx } from '../../../db/open.ts';
import type { AccountId } from '../../account-id.ts';
import { listKeysWithReportedLeak } from '../../rotation-requests/leaks/list-keys-with-reported-leak.ts';
import { describeApiKey } from './describe-api-key.ts';
import { listResponsibleMembers } from '../input/responsible-person.ts';
import { hasEnded } from '../rules.ts';
import type { ApiKeyWithTokens } from '../store/keys-with-tokens.ts';
import { tokenRestoredByUndo } from '../unconfirmed/rules.ts';

/**
 * Stored keys of an account as the API shows them at `now`. Reported leaks are read only if one of
 * the keys has a rotation that could be undone: clients list keys often, and such rotations are
 * rare.
 */
export async function describeApiKeys(
  db: Db | Tx,
  keys: readonly ApiKeyWithTokens[],
  { accountId, now }: { accountId: AccountId; now: Date },
): Promise<ApiKey[]> {
  const canBeUndone = keys.some(
    ({ key, tokens }) => !hasEnded(key, now) && tokenRestoredByUndo(tokens) !== null,
  );
  const leaked = canBeUndone ? await listKeysWithReportedLeak(db, accountId, now) : null;
  const members = await listResponsibleMembers(
    db,
    accountId,
    keys.map(({ key }) => key),
  );
  return keys.map((key) => describeApiKey(key, { now, leaked, members }));
}

/** The same for one key. */
export async function describeStoredApiKey(
  db: Db | Tx,
  key: ApiKeyWithTokens,
  options: { accountId: AccountId; now: Date },
): Promise<ApiKey> {
  const [described] = await describeApiKeys(db, [key], options);
  if (!described) throw new Error(`API key ${key.key.id} was not described`);
  return described;
}
