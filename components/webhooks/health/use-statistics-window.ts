'use client';

import { parseAsStringLiteral, useQueryState } from 'nuqs';

import type { StatisticsWindow } from '#lib/contract/webhooks/webhook-statistics.ts';

import { windowChoices } from './statistics-windows.ts';

/** The selected window, stored in the URL so that links and reload keep it. */
export function useStatisticsWindow(): [
  window: StatisticsWindow,
  change: (window: StatisticsWindow) => void,
] {
  const [window, setWindow] = useQueryState('window', parser);
  return [window, (next) => void setWindow(next)];
}

const parser = parseAsStringLiteral(windowChoices).withDefault('24h');
