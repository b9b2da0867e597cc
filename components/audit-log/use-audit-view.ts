'use client';

import {
  parseAsInteger,
  parseAsIsoDateTime,
  parseAsString,
  parseAsStringLiteral,
  useQueryState,
  useQueryStates,
} from 'nuqs';

import { hideSecrets } from '#components/shell/search/hide-secrets.ts';

import { auditSpanChoices, type AuditView } from './audit-view.ts';

const parsers = {
  actor: parseAsString.withDefault(''),
  action: parseAsString.withDefault(''),
  target: parseAsString.withDefault(''),
  since: parseAsStringLiteral(auditSpanChoices).withDefault('any'),
  from: parseAsIsoDateTime,
  to: parseAsIsoDateTime,
};

/** The filters of the log, stored in the URL so that links and reload keep them. */
export function useAuditView(): [
  view: AuditView,
  change: (change: Partial<AuditView> | null) => void,
] {
  const [view, setView] = useQueryStates(parsers);

  function change(part: Partial<AuditView> | null) {
    const hidden =
      part?.target === undefined ? part : { ...part, target: hideSecrets(part.target) };
    void setView(hidden);
  }

  return [view, change];
}

/** The id of the open entry, stored in the URL. */
export function useOpenEntry(): [id: number | null, open: (id: number | null) => void] {
  const [id, setId] = useQueryState('entry', parseAsInteger);
  return [id, (next) => void setId(next, { history: id === null ? 'push' : 'replace' })];
}
