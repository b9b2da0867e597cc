'use client';

import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';

import { keyTypes } from '#lib/contract/key-types.ts';

import { type ApiKeyState, apiKeyStateLabels } from './api-key-state.ts';
import {
  type ApiKeyQuestion,
  type SortColumn,
  sortColumns,
  withoutTokens,
} from './select-api-keys.ts';

type QuestionControls = {
  question: ApiKeyQuestion;
  isFiltered: boolean;
  ask: (part: Partial<ApiKeyQuestion>) => void;
  /** The same column again turns the order round. */
  sortBy: (column: SortColumn) => void;
  clear: () => void;
};

/** Search, filters and order, kept in the address so that a view can be shared and returned to. */
export function useApiKeyQuestion(): QuestionControls {
  const [question, setQuestion] = useQueryStates(parsers);

  function ask(part: Partial<ApiKeyQuestion>) {
    void setQuestion(part.q === undefined ? part : { ...part, q: withoutTokens(part.q) });
  }

  return {
    question,
    isFiltered: question.q.trim() !== '' || question.type !== 'any' || question.status !== 'any',
    ask,
    sortBy: (column) => ask({ sort: nextSort(question.sort, column) }),
    clear: () => void setQuestion({ q: null, type: null, status: null }),
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

function nextSort(current: ApiKeyQuestion['sort'], column: SortColumn): ApiKeyQuestion['sort'] {
  // A first press puts the latest use on top, and everything else from the beginning.
  const first = column === 'last_used' ? (`-${column}` as const) : column;
  const other = column === 'last_used' ? column : (`-${column}` as const);
  return current === first ? other : first;
}
