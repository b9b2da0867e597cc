'use client';

import { useSyncExternalStore } from 'react';

import { type ChosenTheme, parseTheme, themeCookie } from '#lib/cookies/theme-cookie.ts';

export type Theme = 'system' | ChosenTheme;

export const themes = [
  { value: 'system', label: 'Same as system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const satisfies readonly { value: Theme; label: string }[];

/**
 * The theme chosen on this device. It is stored in a cookie, so that the server renders pages with
 * it.
 */
export function useTheme(): [theme: Theme, choose: (theme: Theme) => void] {
  const theme = useSyncExternalStore(subscribe, read, () => 'system' as const);
  return [theme, choose];
}

const yearS = 31_536_000;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function read(): Theme {
  return parseTheme(document.documentElement.dataset['theme']) ?? 'system';
}

function choose(theme: Theme) {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  const age = theme === 'system' ? 0 : yearS;
  const secure = location.protocol === 'https:' ? '; secure' : '';
  document.cookie = `${themeCookie}=${theme}; path=/; max-age=${age}; samesite=lax${secure}`;
  for (const listener of listeners) listener();
}
