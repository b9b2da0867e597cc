'use client';

import { parseAsStringLiteral, useQueryState } from 'nuqs';

import type { StatisticsWindow } from '#lib/contract/webhook-statistics.ts';

import { windowChoices } from './statistics-windows.ts';

/** The window that is shown, kept in the address so that a link or a reload shows the same. */
export function useStatisticsWindow(): [
  window: StatisticsWindow,
  change: (window: StatisticsWindow) => void,
] {
  const [window, setWindow] = useQueryState('window', parser);
  return [window, (next) => void setWindow(next)];
}

const parser = parseAsStringLiteral(windowChoices).withDefault('24h');
