import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { changeAddress } from '#components/ui/navigation/address-changes.ts';
import { hideSecrets } from '#components/shell/search/hide-secrets.ts';
import { sortOrdersOf } from '#components/ui/data-display/sort-order.ts';
import { apiKeyStatusFilters } from '#components/shell/states/api-key-state.ts';
import { keyTypes } from '#lib/contract/api-keys/key-types.ts';
import { allScopes } from '#lib/contract/api-keys/scopes.ts';
import {
  type ApiKeyView,
  creationFilters,
  sortColumns,
  lastUseFilters,
} from './select-api-keys.ts';
import { keysOf } from '#lib/object-keys.ts';

type ApiKeyViewControls = {
  view: ApiKeyView;
  change: (part: Partial<ApiKeyView>) => void;
  clear: () => void;
};

/** Search, filters and sort order, stored in the URL so that links, reload and Back keep them. */
export function useApiKeyView(): ApiKeyViewControls {
  const [view, setView] = useQueryStates(parsers);

  function change(part: Partial<ApiKeyView>) {
    // Someone may paste a token as the search or the address.
    const { q, address } = part;
    changeAddress(
      setView({
        ...part,
        ...(q !== undefined && { q: hideSecrets(q) }),
        ...(address !== undefined && { address: hideSecrets(address) }),
      }),
    );
  }

  return {
    view,
    change,
    clear: () => changeAddress(setView({ ...noFilters })),
  };
}

const statuses = keysOf(apiKeyStatusFilters);

const parsers = {
  q: parseAsString.withDefault(''),
  type: parseAsStringLiteral([...keyTypes, 'any'] as const).withDefault('any'),
  status: parseAsStringLiteral([...statuses, 'any'] as const).withDefault('any'),
  tag: parseAsString.withDefault(''),
  responsible: parseAsString.withDefault(''),
  used: parseAsStringLiteral([...keysOf(lastUseFilters), 'any'] as const).withDefault('any'),
  created: parseAsStringLiteral([...keysOf(creationFilters), 'any'] as const).withDefault('any'),
  creator: parseAsString.withDefault(''),
  shown: parseAsString.withDefault(''),
  scope: parseAsStringLiteral([...allScopes, 'any'] as const).withDefault('any'),
  address: parseAsString.withDefault(''),
  sort: parseAsStringLiteral(sortOrdersOf(sortColumns)).withDefault('-last_used'),
};

const noFilters = {
  q: null,
  type: null,
  status: null,
  tag: null,
  responsible: null,
  used: null,
  created: null,
  creator: null,
  shown: null,
  scope: null,
  address: null,
};
