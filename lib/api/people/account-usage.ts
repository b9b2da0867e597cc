import 'server-only';
import { type AccountUsage, countByScopes } from '../../account-usage.ts';
import { listApiKeys } from '../api-keys.ts';
import { listWebhooks } from '../webhooks.ts';

/** How many keys and webhooks the account has. @throws ApiError */
export async function getAccountUsage(): Promise<AccountUsage> {
  const [apiKeys, webhooks] = await Promise.all([listApiKeys(), listWebhooks()]);
  return { activeKeys: countByScopes(apiKeys), webhooks: webhooks.length };
}
