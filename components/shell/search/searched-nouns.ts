import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { matchesSearch } from './matches-search.ts';

/** Whether a search finds a key, in its list and in the command palette. */
export function isApiKeyFound(search: string, apiKey: ApiKey): boolean {
  const { id, uuid, name, description, tags, responsible, last_four: lastFour, tokens } = apiKey;
  const lastFours = [lastFour, ...tokens.map((token) => token.last_four)];
  const texts = [name, description ?? '', ...tags, responsible?.name ?? ''];
  return matchesSearch(search, { id, uuid, texts, lastFours });
}

export function isWebhookFound(search: string, { id, uuid, name, url }: Webhook): boolean {
  return matchesSearch(search, { id, uuid, texts: [name, url] });
}
