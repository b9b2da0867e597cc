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
import type { Scope } from '#lib/contract/api-keys/scopes.ts';
import { dayMs, hourMs } from '#lib/durations.ts';

/** Who created a key or was shown a token. */
export type Actor = NonNullable<ApiKey['created_by']>;

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
  used: keyof typeof lastUseFilters | 'any';
  created: keyof typeof creationFilters | 'any';
  /** Who created it, and to whom one of its valid tokens was shown: `idOf` them; empty for any. */
  creator: string;
  shown: string;
  scope: Scope | 'any';
  /** An address or network; the service finds the keys that were used from there. */
  address: string;
  sort: SortOrder<SortColumn>;
};

/** Filters by when a key was last used. A negative time: not used for that long. */
export const lastUseFilters = {
  hour: { label: 'In the last hour', ms: hourMs },
  day: { label: 'In the last 24 hours', ms: dayMs },
  month: { label: 'In the last 30 days', ms: 30 * dayMs },
  not_month: { label: 'Not in the last 30 days', ms: -30 * dayMs },
  not_quarter: { label: 'Not in the last 90 days', ms: -90 * dayMs },
  never: { label: 'Never', ms: 0 },
} as const;

export const creationFilters = {
  day: { label: 'In the last 24 hours', ms: dayMs },
  week: { label: 'In the last 7 days', ms: 7 * dayMs },
  month: { label: 'In the last 30 days', ms: 30 * dayMs },
  not_year: { label: 'Over a year ago', ms: -365 * dayMs },
} as const;

/** The filters that are shown on request. */
export function countMoreFilters(view: ApiKeyView): number {
  const { used, created, creator, shown, scope, address } = view;
  return [
    used !== 'any',
    created !== 'any',
    creator !== '',
    shown !== '',
    scope !== 'any',
    address !== '',
  ].filter(Boolean).length;
}

/** The keys that match the view, in its order; ended keys come last, as there may be hundreds. */
export function selectApiKeys(
  apiKeys: readonly ApiKey[],
  view: ApiKeyView,
  context: { now: Date; knownToLeavers?: ReadonlySet<string> },
): ApiKey[] {
  const { now } = context;
  const { q, type, status, tag, responsible, creator, shown, scope, sort } = view;
  const compare = compareInOrder(sort, sortValues(now));
  const isEnded = (apiKey: ApiKey) => isEndedState(apiKeyState(apiKey, now));
  return apiKeys
    .filter(
      (apiKey) =>
        (type === 'any' || apiKey.type === type) &&
        (status === 'any' || matchesStatus(apiKey, status, context)) &&
        (tag === '' || apiKey.tags.includes(tag)) &&
        (responsible === '' || apiKey.responsible?.id === responsible) &&
        matchesUse(apiKey, view.used, now) &&
        (view.created === 'any' ||
          isWithin(apiKey.created_at, creationFilters[view.created].ms, now)) &&
        (creator === '' || (apiKey.created_by && idOf(apiKey.created_by)) === creator) &&
        (shown === '' || shownToOf(apiKey).some((actor) => idOf(actor) === shown)) &&
        (scope === 'any' || apiKey.scopes.includes(scope)) &&
        isApiKeyFound(q, apiKey),
    )
    .toSorted((one, other) => Number(isEnded(one)) - Number(isEnded(other)) || compare(one, other));
}

export function isFiltered(view: ApiKeyView): boolean {
  return view.q.trim() !== '' || countFilters(view) > 0;
}

/** How many filters are set in addition to the search. */
export function countFilters(view: ApiKeyView): number {
  const { type, status, tag, responsible } = view;
  const shown = [type !== 'any', status !== 'any', tag !== '', responsible !== ''];
  return shown.filter(Boolean).length + countMoreFilters(view);
}

function matchesUse({ last_used_at: at }: ApiKey, filter: ApiKeyView['used'], now: Date): boolean {
  if (filter === 'any') return true;
  if (filter === 'never' || at === null) return at === null && lastUseFilters[filter].ms <= 0;
  return isWithin(at, lastUseFilters[filter].ms, now);
}

/** Whether a moment is at most `ms` ago; with a negative time, whether it is longer ago. */
function isWithin(at: string, ms: number, now: Date): boolean {
  const agoMs = now.getTime() - Date.parse(at);
  return ms > 0 ? agoMs <= ms : agoMs > -ms;
}

/** How a filter names a person or key. */
export function idOf({ kind, id }: Actor): string {
  return `${kind}:${id ?? ''}`;
}

function shownToOf({ tokens }: ApiKey): Actor[] {
  return tokens.flatMap(({ shown_to: actor }) => actor ?? []);
}

/** Everyone who created one of the keys, and to whom one of their tokens was shown, by name. */
export function actorsOf(apiKeys: readonly ApiKey[]): Record<'creators' | 'shown', Actor[]> {
  return {
    creators: byName(apiKeys.flatMap(({ created_by: actor }) => actor ?? [])),
    shown: byName(apiKeys.flatMap(shownToOf)),
  };
}

function byName(actors: readonly Actor[]): Actor[] {
  const each = new Map(actors.map((actor) => [idOf(actor), actor]));
  return [...each.values()].toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
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
