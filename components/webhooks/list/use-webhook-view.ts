'use client';

import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';

import { changeAddress } from '#components/ui/navigation/address-changes.ts';
import { hideSecrets } from '#components/shell/search/hide-secrets.ts';
import { sortOrdersOf } from '#components/ui/data-display/sort-order.ts';
import type { EventType } from '#lib/contract/events/events.ts';

import { useEventTypes } from '../event-types.tsx';
import { eventChoicesOf, sortColumns, statusChoices, type WebhookView } from './webhook-view.ts';

/**
 * Search, filters and sort order of the list, stored in the URL so that links, reload and Back keep
 * them.
 */
export function useWebhookView(): [
  view: WebhookView,
  change: (change: Partial<WebhookView> | null) => void,
] {
  const [view, setView] = useQueryStates(parsersFor(useEventTypes()));

  function change(part: Partial<WebhookView> | null) {
    changeAddress(setView(part?.q === undefined ? part : { ...part, q: hideSecrets(part.q) }));
  }

  return [view, change];
}

function parsersFor(types: readonly EventType[]) {
  return {
    q: parseAsString.withDefault(''),
    status: parseAsStringLiteral(statusChoices).withDefault('any'),
    event: parseAsStringLiteral(eventChoicesOf(types)).withDefault('any'),
    sort: parseAsStringLiteral(sortOrdersOf(sortColumns)).withDefault('name'),
  };
}
