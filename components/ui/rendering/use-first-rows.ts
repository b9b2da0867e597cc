import { useDeferredValue } from 'react';

/** More than fit on a screen of 1,500 pixels. */
const firstRows = 25;

/**
 * The rows of a long list that are rendered now. The server renders the first of them, and so does
 * the browser where a link leads to the list; the others follow as soon as these are shown. A row
 * takes time before its page is sent or shown, and its HTML is several times as long as its data.
 */
export function useFirstRows<Row>(rows: readonly Row[]): readonly Row[] {
  const areAllDue = useDeferredValue(true, false);
  return areAllDue ? rows : rows.slice(0, firstRows);
}
