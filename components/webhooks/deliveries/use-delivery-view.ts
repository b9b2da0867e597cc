'use client';

import {
  parseAsIsoDateTime,
  parseAsString,
  parseAsStringLiteral,
  useQueryState,
  useQueryStates,
} from 'nuqs';

import { changeAddress } from '#components/ui/navigation/address-changes.ts';
import { hideSecrets } from '#components/shell/search/hide-secrets.ts';
import type { EventType } from '#lib/contract/events/events.ts';

import { useEventTypes } from '../event-types.tsx';
import {
  type DeliveryView,
  eventChoicesOf,
  replayedChoices,
  sinceChoices,
  statusChoices,
} from './delivery-view.ts';

/** The filters of the table, stored in the URL so that links and reload keep them. */
export function useDeliveryView(): [
  view: DeliveryView,
  change: (change: Partial<DeliveryView> | null, options?: { history: 'push' }) => void,
] {
  const [view, setView] = useQueryStates(parsersFor(useEventTypes()));

  function change(part: Partial<DeliveryView> | null, options?: { history: 'push' }) {
    const hidden = part?.q === undefined ? part : { ...part, q: hideSecrets(part.q) };
    changeAddress(setView(hidden, options));
  }

  return [view, change];
}

function parsersFor(types: readonly EventType[]) {
  return {
    q: parseAsString.withDefault(''),
    status: parseAsStringLiteral(statusChoices).withDefault('any'),
    event: parseAsStringLiteral(eventChoicesOf(types)).withDefault('any'),
    replayed: parseAsStringLiteral(replayedChoices).withDefault('any'),
    since: parseAsStringLiteral(sinceChoices).withDefault('any'),
    from: parseAsIsoDateTime,
    to: parseAsIsoDateTime,
  };
}

/** The uuid of the open delivery, stored in the URL so that people can send links to it. */
export function useOpenDelivery(): [
  uuid: string | null,
  /** Opening a delivery adds a history entry; going to the next one replaces it. */
  open: (uuid: string | null) => void,
] {
  const [uuid, setUuid] = useQueryState('delivery', parseAsString);
  return [
    uuid,
    (next) => changeAddress(setUuid(next, { history: uuid === null ? 'push' : 'replace' })),
  ];
}
