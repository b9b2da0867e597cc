'use client';

import { useSearchParams } from 'next/navigation';
import {
  createParser,
  parseAsInteger,
  parseAsIsoDateTime,
  parseAsString,
  parseAsStringLiteral,
  useQueryState,
  useQueryStates,
} from 'nuqs';

import { changeAddress } from '#components/ui/navigation/address-changes.ts';
import type { TimeWindow } from '#components/shell/search/time-window/time-window.ts';
import { hideSecrets } from '#components/shell/search/hide-secrets.ts';
import { isActionFilter } from '#lib/contract/audit-log/audit-actions.ts';

import { auditSpanChoices, type AuditView } from './audit-view.ts';

/** Any other text in the URL counts as no filter: the API refuses it. */
const parseAsAction = createParser({
  parse: (text) => (isActionFilter(text) ? text : null),
  serialize: String,
});

const parsers = {
  actor: parseAsString.withDefault(''),
  action: parseAsAction.withDefault(''),
  target: parseAsString.withDefault(''),
  since: parseAsStringLiteral(auditSpanChoices).withDefault('any'),
  from: parseAsIsoDateTime,
  to: parseAsIsoDateTime,
};

/** The filters of the log, stored in the URL so that links and reload keep them. */
export function useAuditView(): [
  view: AuditView,
  change: (change: Partial<AuditView> | null) => void,
  /** Ends of the time window in the URL that are not valid times. */
  unreadable: readonly (keyof TimeWindow)[],
] {
  const [view, setView] = useQueryStates(parsers);
  const search = useSearchParams();

  function change(part: Partial<AuditView> | null) {
    const hidden =
      part?.target === undefined ? part : { ...part, target: hideSecrets(part.target) };
    changeAddress(setView(hidden));
  }

  const unreadable = ends.filter((end) => view[end] === null && (search.get(end) ?? '') !== '');
  return [view, change, unreadable];
}

const ends = ['from', 'to'] as const;

/** The id of the open entry, stored in the URL. */
export function useOpenEntry(): [id: number | null, open: (id: number | null) => void] {
  const [id, setId] = useQueryState('entry', parseAsInteger);
  return [id, (next) => changeAddress(setId(next, { history: id === null ? 'push' : 'replace' }))];
}
