import {
  compareInOrder,
  type SortOrder,
  type SortValue,
  timeValue,
} from '#components/ui/data-display/sort-order.ts';
import { isApiKeyFound } from '#components/shell/search/searched-nouns.ts';
import {
  type ApiKeyState,
  apiKeyState,
  type ApiKeyStatusFilter,
  isEndedState,
  matchesStatus,
} from '#components/shell/states/api-key-state.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { KeyType } from '#lib/contract/api-keys/key-types.ts';

export const sortColumns = ['name', 'type', 'last_used', 'expires', 'status'] as const;

export type SortColumn = (typeof sortColumns)[number];

/** Search, filters and sort order of the list. */
export type ApiKeyView = {
  q: string;
  type: KeyType | 'any';
  status: ApiKeyStatusFilter | 'any';
  /** Empty for any. */
  tag: string;
  /** The id of the person who is responsible; empty for any. */
  responsible: string;
  sort: SortOrder<SortColumn>;
};

/**
 * The keys that match the view, in its order. Ended keys come last in every order: there may be
 * hundreds of them, above keys that were never used.
 */
export function selectApiKeys(apiKeys: readonly ApiKey[], view: ApiKeyView, now: Date): ApiKey[] {
  const { q, type, status, tag, responsible, sort } = view;
  const compare = compareInOrder(sort, sortValues(now));
  const isEnded = (apiKey: ApiKey) => isEndedState(apiKeyState(apiKey, now));
  return apiKeys
    .filter(
      (apiKey) =>
        (type === 'any' || apiKey.type === type) &&
        (status === 'any' || matchesStatus(apiKey, status, now)) &&
        (tag === '' || apiKey.tags.includes(tag)) &&
        (responsible === '' || apiKey.responsible?.id === responsible) &&
        isApiKeyFound(q, apiKey),
    )
    .toSorted((one, other) => Number(isEnded(one)) - Number(isEnded(other)) || compare(one, other));
}

export function isFiltered(view: ApiKeyView): boolean {
  return view.q.trim() !== '' || countFilters(view) > 0;
}

/** How many filters are set in addition to the search. */
export function countFilters({ type, status, tag, responsible }: ApiKeyView): number {
  return [type !== 'any', status !== 'any', tag !== '', responsible !== ''].filter(Boolean).length;
}

/** All tags of the keys, and the tag that is filtered by, in alphabetical order. */
export function tagsOf(apiKeys: readonly ApiKey[], { tag }: ApiKeyView): string[] {
  const tags = new Set(apiKeys.flatMap((apiKey) => apiKey.tags));
  if (tag !== '') tags.add(tag);
  return [...tags].toSorted((one, other) => one.localeCompare(other, 'en'));
}

/** Everyone who is responsible for one of the keys, by name. */
export function responsiblePersonsOf(
  apiKeys: readonly ApiKey[],
): NonNullable<ApiKey['responsible']>[] {
  const people = new Map(
    apiKeys.flatMap(({ responsible }) =>
      responsible === null ? [] : [[responsible.id, responsible]],
    ),
  );
  return [...people.values()].toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
}

function sortValues(now: Date): Record<SortColumn, SortValue<ApiKey>> {
  return {
    name: ({ name }) => name,
    type: ({ type }) => type,
    last_used: ({ last_used_at: used }) => timeValue(used),
    expires: ({ expires_at: end }) => timeValue(end),
    status: (apiKey) => urgency.indexOf(apiKeyState(apiKey, now)),
  };
}

const urgency: readonly ApiKeyState[] = [
  'unconfirmed',
  'expiring',
  'rotating',
  'active',
  'paused',
  'expired',
  'revoked',
];
