'use client';

import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';

import { eventChoices, sortChoices, statusChoices, type WebhookView } from './webhook-view.ts';

/**
 * Search, filters and sort order of the list, stored in the URL so that links, reload and Back keep
 * them.
 */
export function useWebhookView(): [
  view: WebhookView,
  change: (change: Partial<WebhookView> | null) => void,
] {
  const [view, setView] = useQueryStates(parsers);
  return [view, (change) => void setView(change)];
}

const parsers = {
  q: parseAsString.withDefault(''),
  status: parseAsStringLiteral(statusChoices).withDefault('any'),
  event: parseAsStringLiteral(eventChoices).withDefault('any'),
  sort: parseAsStringLiteral(sortChoices).withDefault('name'),
};
