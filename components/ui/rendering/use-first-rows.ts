'use client';

import { useDeferredValue } from 'react';

import { useIsHydrated } from './use-is-hydrated.ts';

/** More than fit on a screen. */
const FIRST_ROWS = 40;

/**
 * The rows of a long list that are rendered now. The server renders the first of them, and the
 * browser adds the others once it works: on the server a row takes time before the page is sent, and
 * its HTML is several times as long as its data. A list that a link leads to is rendered whole.
 */
export function useFirstRows<Row>(rows: readonly Row[]): readonly Row[] {
  const areAllDue = useDeferredValue(true, useIsHydrated());
  return areAllDue ? rows : rows.slice(0, FIRST_ROWS);
}
