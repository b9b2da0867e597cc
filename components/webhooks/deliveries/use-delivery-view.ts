'use client';

import { parseAsString, parseAsStringLiteral, useQueryState, useQueryStates } from 'nuqs';

import { type DeliveryView, eventChoices, sinceChoices, statusChoices } from './delivery-view.ts';

/** Filters, kept in the address so that a link or a reload shows the same. */
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

/** The uuid of the delivery that is looked at, in the address too: support staff send such links. */
export function useOpenDelivery(): [
  uuid: string | null,
  /** A new one is a page of its own to the Back button; going on from one to the next is not. */
  open: (uuid: string | null) => void,
] {
  const [uuid, setUuid] = useQueryState('delivery', parseAsString);
  return [uuid, (next) => void setUuid(next, { history: uuid === null ? 'push' : 'replace' })];
}
