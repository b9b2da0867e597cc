'use client';

import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';

import { keyTypes } from '#lib/contract/key-types.ts';

import { type ApiKeyState, apiKeyStateLabels } from '../api-key-state.ts';
import {
  type ApiKeyView,
  type SortColumn,
  sortColumns,
  truncateTokens,
} from './select-api-keys.ts';

type ApiKeyViewControls = {
  view: ApiKeyView;
  isFiltered: boolean;
  change: (part: Partial<ApiKeyView>) => void;
  /** Sorts by the column; if it is sorted by it already, reverses the order. */
  sortBy: (column: SortColumn) => void;
  clear: () => void;
};

/**
 * Search, filters and sort order of the list, stored in the URL so that links, reload and Back keep
 * them.
 */
export function useApiKeyView(): ApiKeyViewControls {
  const [view, setView] = useQueryStates(parsers);

  function change(part: Partial<ApiKeyView>) {
    void setView(part.q === undefined ? part : { ...part, q: truncateTokens(part.q) });
  }

  return {
    view,
    isFiltered: view.q.trim() !== '' || view.type !== 'any' || view.status !== 'any',
    change,
    sortBy: (column) => change({ sort: nextSort(view.sort, column) }),
    clear: () => void setView({ q: null, type: null, status: null }),
  };
}

const states = Object.keys(apiKeyStateLabels) as ApiKeyState[];

const parsers = {
  q: parseAsString.withDefault(''),
  type: parseAsStringLiteral([...keyTypes, 'any'] as const).withDefault('any'),
  status: parseAsStringLiteral([...states, 'any'] as const).withDefault('any'),
  sort: parseAsStringLiteral(
    sortColumns.flatMap((column) => [column, `-${column}`] as const),
  ).withDefault('-last_used'),
};

function nextSort(current: ApiKeyView['sort'], column: SortColumn): ApiKeyView['sort'] {
  // The first press sorts last use descending and every other column ascending.
  const first = column === 'last_used' ? (`-${column}` as const) : column;
  const other = column === 'last_used' ? column : (`-${column}` as const);
  return current === first ? other : first;
}
