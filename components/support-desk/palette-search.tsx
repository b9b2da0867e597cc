'use client';

import { createContext, type ReactNode, use, useState } from 'react';

type AskedSearch = {
  /** What to search for on the page of the desk; null once it was searched for. */
  asked: string | null;
  ask: (search: string) => void;
  onTaken: () => void;
};

const AskedSearchContext = createContext<AskedSearch | null>(null);

/**
 * Takes a search from the command palette to the page of the desk. It is not in the address: it may
 * name people, and each search is recorded.
 */
export function AskedSearchProvider({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<string | null>(null);
  return (
    <AskedSearchContext value={{ asked, ask: setAsked, onTaken: () => setAsked(null) }}>
      {children}
    </AskedSearchContext>
  );
}

export function useAskedSearch(): AskedSearch {
  const askedSearch = use(AskedSearchContext);
  if (askedSearch === null) throw new Error('This stands outside the support desk.');
  return askedSearch;
}
