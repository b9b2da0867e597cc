'use client';

import { useQuery } from '@tanstack/react-query';
import { SlidersHorizontal } from 'lucide-react';
import { lazy, Suspense, useDeferredValue, useState } from 'react';

import { NoMatch } from '#components/shell/page/no-match.tsx';
import { Toolbar } from '#components/shell/page/toolbar.tsx';
import { isLookedUp, usePastedToken } from '#components/shell/search/use-pasted-token.ts';
import { Button } from '#components/ui/buttons/button.tsx';
import { SearchField } from '#components/ui/inputs/search-field.tsx';
import { Select } from '#components/ui/inputs/select/select.tsx';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import {
  apiKeyState,
  apiKeyStatusFilters,
  isEndedState,
} from '#components/shell/states/api-key-state.ts';
import { ApiError } from '#lib/api/api-error.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { EndedApiKeyStatus } from '#lib/contract/api-keys/ended-api-keys.ts';
import { keyTypes } from '#lib/contract/api-keys/key-types.ts';
import type { TokenOfLeaver } from '#lib/contract/api-keys/shown-tokens.ts';
import type { CallsOfKey } from '#lib/contract/api-keys/usage.ts';
import { countOf } from '#lib/count.ts';
import { routeQuery } from '#lib/queries/route-query.ts';

import { formatResponsible } from '../format-responsible.ts';
import { ApiKeyTableSkeleton } from './api-key-columns.tsx';
import { ApiKeyTable } from './api-key-table.tsx';
import { keyTypeTable } from '../key-type.tsx';
import {
  type ApiKeyView,
  countFilters,
  countMoreFilters,
  isFiltered,
  responsiblePersonsOf,
  selectApiKeys,
  tagsOf,
} from './select-api-keys.ts';
import type { KeyActions } from '../actions/use-api-key-actions.ts';
import { useApiKeyView } from './use-api-key-view.ts';
import type { OlderApiKeys } from './use-older-api-keys.ts';
import { keysOf } from '#lib/object-keys.ts';

type ApiKeyListProps = {
  apiKeys: readonly ApiKey[];
  /** Loads older keys that are not in the list; null if the list is complete. */
  older: Record<EndedApiKeyStatus, OlderApiKeys> | null;
  account: { id: string; name: string };
  calls: ReadonlyMap<string, CallsOfKey['hours']>;
  /** The tokens that are known to someone who left, by the UUID of their key. */
  tokensOfLeavers: ReadonlyMap<string, readonly TokenOfLeaver[]>;
  /** The person who is signed in. */
  personId: string;
  now: Date;
  isBusy: boolean;
  actions: KeyActions;
  /** The ID of the link to the key that was just created; null if none was. */
  createdLinkId: string | null;
  /** Called when the keys must be read again. */
  onStale: () => void;
};

/**
 * Search, filters, table, and what can be done with several keys. Search and filters run in the
 * browser, on the loaded keys; only the addresses from which keys were used are asked for.
 */
export function ApiKeyList({
  apiKeys,
  older,
  account,
  calls,
  tokensOfLeavers,
  personId,
  now,
  isBusy,
  actions,
  createdLinkId,
  onStale,
}: ApiKeyListProps) {
  const { view: chosen, change, clear } = useApiKeyView();
  // The search field and the filters update immediately, and the rows follow.
  const view = useDeferredValue(chosen);
  const { pasted, readSearch } = usePastedToken(chosen.q);
  const isManager = actions.onRevoke !== undefined;
  const { data: usedFrom, error: addressError } = useQuery({
    ...routeQuery(account.id, 'listApiKeysUsedFrom', { query: { address: view.address } }),
    enabled: isManager && view.address !== '',
  });
  const isAddressSought = isManager && view.address !== '' && addressError === null;
  const shown = isLookedUp(pasted)
    ? apiKeys.filter(({ uuid }) => pasted.kind === 'found' && uuid === pasted.found.api_key?.uuid)
    : selectApiKeys(apiKeys, view, {
        now,
        knownToLeavers: new Set(tokensOfLeavers.keys()),
      }).filter(({ uuid }) => !isAddressSought || usedFrom?.includes(uuid));
  const [areMoreShown, setAreMoreShown] = useState(countMoreFilters(chosen) > 0);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const selectable = isManager
    ? shown.filter((apiKey) => !isEndedState(apiKeyState(apiKey, now)))
    : [];
  // Only what is listed: nothing happens to keys that the person does not see.
  const selectedKeys = selectable.filter(({ uuid }) => selected.has(uuid));

  function select({ uuid }: ApiKey, isSelected: boolean) {
    const next = new Set(selectedKeys.map((one) => one.uuid));
    if (isSelected) next.add(uuid);
    else next.delete(uuid);
    setSelected(next);
  }
  const total = `${countOf(apiKeys.length, 'key')}${older === null ? '' : ' listed'}`;
  const statusFilter = view.status;
  const tags = tagsOf(apiKeys, chosen);
  const people = responsiblePersonsOf(apiKeys);

  return (
    <>
      <Toolbar
        filterCount={countFilters(chosen)}
        count={isFiltered(view) ? `${shown.length} of ${total}` : total}
        search={
          <SearchField
            label="Search keys"
            placeholder="Search by name, token or ID"
            value={chosen.q}
            onChange={(q) => {
              void readSearch(q);
              change({ q });
            }}
          />
        }
      >
        <Select
          label="Type"
          options={types}
          value={chosen.type}
          onChange={(type) => change({ type })}
        />
        <Select
          label="Status"
          options={statuses}
          value={chosen.status}
          onChange={(status) => change({ status })}
        />
        {tags.length > 0 && (
          <Select
            label="Tag"
            options={[anyTag, ...tags.map((tag) => ({ value: tag, label: tag }))]}
            value={chosen.tag}
            onChange={(tag) => change({ tag })}
          />
        )}
        {(people.length > 0 || chosen.responsible !== '') && (
          <Select
            label="Responsible"
            options={[
              anyPerson,
              ...people.map((person) => ({ value: person.id, label: formatResponsible(person) })),
            ]}
            value={chosen.responsible}
            onChange={(responsible) => change({ responsible })}
          />
        )}
        <Button
          variant="ghost"
          icon={<SlidersHorizontal />}
          aria-expanded={areMoreShown}
          onClick={() => setAreMoreShown(!areMoreShown)}
        >
          More filters
        </Button>
      </Toolbar>
      {areMoreShown && (
        <LazyMoreFilters
          shouldLoad
          accountId={account.id}
          apiKeys={apiKeys}
          view={chosen}
          addressError={isManager ? addressErrorOf(addressError) : null}
          onChange={change}
        />
      )}
      <LazyPastedTokenBanner shouldLoad={pasted.kind !== 'none'} pasted={pasted} />
      {pasted.kind === 'searching' || (isAddressSought && usedFrom === undefined) ? (
        <ApiKeyTableSkeleton
          caption={
            isAddressSought ? 'Loading the keys that were used from there' : 'Looking up the token'
          }
        />
      ) : pasted.kind === 'found' && pasted.found.api_key === null ? (
        <NoMatch
          title="No key has this token"
          hint="It was never created in this account, or its key was erased. Only its digest (SHA-256) was sent."
          onClear={clear}
        />
      ) : shown.length === 0 && !isLookedUp(pasted) ? (
        <NoMatch
          title={noMatchTitle(view, people)}
          hint="Search covers names, descriptions, tags, responsible persons, IDs, UUIDs and the last four characters of tokens."
          onClear={clear}
        />
      ) : (
        <ApiKeyTable
          apiKeys={shown}
          accountName={account.name}
          sort={view.sort}
          onSort={(sort) => change({ sort })}
          isBusy={isBusy}
          calls={calls}
          tokensOfLeavers={tokensOfLeavers}
          personId={personId}
          now={now}
          actions={actions}
          createdLinkId={createdLinkId}
          selected={isManager ? selected : null}
          onSelect={select}
        />
      )}
      {selectedKeys.length > 0 && (
        <LazySelectionBar
          shouldLoad
          selected={selectedKeys}
          selectable={selectable.length}
          accountId={account.id}
          now={now}
          onSelectAll={() => setSelected(new Set(selectable.map(({ uuid }) => uuid)))}
          onClear={() => setSelected(new Set())}
          onStale={onStale}
        />
      )}
      {older && (
        <Suspense>
          <LoadOlderApiKeys
            key={statusFilter}
            status={statusFilter}
            older={older}
            loaded={apiKeys}
            now={now}
          />
        </Suspense>
      )}
    </>
  );
}

const LazyMoreFilters = lazyComponent(async () => (await import('./more-filters.tsx')).MoreFilters);

const LazyPastedTokenBanner = lazyComponent(
  async () => (await import('./pasted-token-banner.tsx')).PastedTokenBanner,
);

// Rendered with the page, so that nothing moves, but loaded only where the list is incomplete.
const LoadOlderApiKeys = lazy(async () => {
  const { LoadOlderApiKeys: Loaded } = await import('./load-older-api-keys.tsx');
  return { default: Loaded };
});

const LazySelectionBar = lazyComponent(
  async () => (await import('./selection-bar.tsx')).SelectionBar,
);

function addressErrorOf(error: Error | null): string | undefined {
  return error instanceof ApiError ? error.details?.['address']?.join(' ') : undefined;
}

const any = { value: 'any', label: 'Any' } as const;
const anyTag = { value: '', label: 'Any' };
const anyPerson = { value: '', label: 'Anyone' };
const types = [any, ...keyTypes.map((value) => ({ value, label: keyTypeTable[value].label }))];
const statuses = [
  any,
  ...keysOf(apiKeyStatusFilters).map((value) => ({
    value,
    label: apiKeyStatusFilters[value].label,
  })),
];

/** Names the search and the filters: “No limited key matches “stagng” and is active”. */
function noMatchTitle(
  view: ApiKeyView,
  people: readonly NonNullable<ApiKey['responsible']>[],
): string {
  if (countMoreFilters(view) > 0) return 'No key matches these filters';
  const { q, type, status, tag, responsible } = view;
  const kind = type === 'any' ? 'key' : `${keyTypeTable[type].label.toLowerCase()} key`;
  const tagged = tag === '' ? kind : `${kind} tagged “${tag}”`;
  const person = people.find(({ id }) => id === responsible)?.name ?? 'this person';
  const noun = responsible === '' ? tagged : `${tagged} for which ${person} is responsible`;
  const sought = q.trim() === '' ? '' : ` matches “${q.trim()}”`;
  if (status === 'any')
    return sought === '' ? `No ${noun === kind ? `${noun}s` : noun}` : `No ${noun}${sought}`;
  const { verb } = apiKeyStatusFilters[status];
  return sought === '' ? `No ${noun} ${verb}` : `No ${noun}${sought} and ${verb}`;
}
