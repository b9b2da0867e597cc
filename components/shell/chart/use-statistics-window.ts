import { createSerializer, parseAsStringLiteral, useQueryState } from 'nuqs';
import { changeAddress } from '#components/ui/navigation/address-changes.ts';
import type { StatisticsWindow } from '#lib/contract/webhooks/webhook-statistics.ts';
import { windowChoices } from './statistics-windows.ts';

/** The selected window, stored in the URL so that links and reload keep it. */
export function useStatisticsWindow(): [
  window: StatisticsWindow,
  change: (window: StatisticsWindow) => void,
] {
  const [window, setWindow] = useQueryState('window', parser);
  return [window, (next) => changeAddress(setWindow(next))];
}

/** The part of the URL that chooses a window; empty for the default window. */
export function statisticsWindowSearch(window: StatisticsWindow): string {
  return serialize({ window });
}

const parser = parseAsStringLiteral(windowChoices).withDefault('24h');
const serialize = createSerializer({ window: parser });
