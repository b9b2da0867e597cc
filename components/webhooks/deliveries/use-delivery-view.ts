'use client';

import { parseAsString, parseAsStringLiteral, useQueryState, useQueryStates } from 'nuqs';

import { type DeliveryView, eventChoices, sinceChoices, statusChoices } from './delivery-view.ts';

/** The filters of the table, stored in the URL so that links and reload keep them. */
export function useDeliveryView(): [
  view: DeliveryView,
  change: (change: Partial<DeliveryView> | null) => void,
] {
  const [view, setView] = useQueryStates(parsers);
  return [view, (change) => void setView(change)];
}

const parsers = {
  status: parseAsStringLiteral(statusChoices).withDefault('any'),
  event: parseAsStringLiteral(eventChoices).withDefault('any'),
  since: parseAsStringLiteral(sinceChoices).withDefault('any'),
};

/** The uuid of the open delivery, stored in the URL so that people can send links to it. */
export function useOpenDelivery(): [
  uuid: string | null,
  /** Opening a delivery adds a history entry; going to the next one replaces it. */
  open: (uuid: string | null) => void,
] {
  const [uuid, setUuid] = useQueryState('delivery', parseAsString);
  return [uuid, (next) => void setUuid(next, { history: uuid === null ? 'push' : 'replace' })];
}
