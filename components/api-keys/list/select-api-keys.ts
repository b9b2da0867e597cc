import type { ApiKey } from '#lib/contract/api-keys.ts';
import type { KeyType } from '#lib/contract/key-types.ts';

import { type ApiKeyState, apiKeyState } from '../api-key-state.ts';

export const sortColumns = ['name', 'type', 'last_used', 'status'] as const;

export type SortColumn = (typeof sortColumns)[number];

/** Search, filters and sort order of the list. A minus before the column means descending. */
export type ApiKeyView = {
  q: string;
  type: KeyType | 'any';
  status: ApiKeyState | 'any';
  sort: SortColumn | `-${SortColumn}`;
};

/** The keys that match the view, in its order. The search covers names and last four characters. */
export function selectApiKeys(apiKeys: readonly ApiKey[], view: ApiKeyView, now: Date): ApiKey[] {
  const { q, type, status, sort } = view;
  const needle = q.trim().toLowerCase();
  const isDescending = sort.startsWith('-');
  const compare = comparisons[sort.replace('-', '') as SortColumn];
  return apiKeys
    .filter(
      (apiKey) =>
        (type === 'any' || apiKey.type === type) &&
        (status === 'any' || apiKeyState(apiKey, now) === status) &&
        (needle === '' || searchableTexts(apiKey).some((text) => text.includes(needle))),
    )
    .toSorted((a, b) => (isDescending ? compare(b, a, now) : compare(a, b, now)) || byName(a, b));
}

/**
 * Shortens tokens in a search text to their last four characters: the search is part of the URL,
 * which browsers and proxies store.
 */
export function truncateTokens(text: string): string {
  return text.replaceAll(/sk_live_[0-9A-Za-z]{8,}/g, (token) => token.slice(-4));
}

function searchableTexts({ name, last_four, tokens }: ApiKey): string[] {
  const texts = [name, last_four, ...tokens.map((token) => token.last_four)];
  return texts.map((text) => text.toLowerCase());
}

type Comparison = (a: ApiKey, b: ApiKey, now: Date) => number;

const comparisons: Record<SortColumn, Comparison> = {
  name: byName,
  type: (a, b) => a.type.localeCompare(b.type),
  last_used: (a, b) => timeOf(a.last_used_at) - timeOf(b.last_used_at),
  status: (a, b, now) => urgency(a, now) - urgency(b, now),
};

function byName(a: ApiKey, b: ApiKey): number {
  return a.name.localeCompare(b.name, 'en', { sensitivity: 'base', numeric: true }) || a.id - b.id;
}

/** Never used sorts as longest ago. */
function timeOf(timestamp: string | null): number {
  return timestamp === null ? 0 : Date.parse(timestamp);
}

const URGENCY: readonly ApiKeyState[] = ['expiring', 'rotating', 'active', 'expired', 'revoked'];

function urgency(apiKey: ApiKey, now: Date): number {
  return URGENCY.indexOf(apiKeyState(apiKey, now));
}
