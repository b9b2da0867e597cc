import { createContext, type ReactNode, use, useState } from 'react';

type PaletteSearch = {
  /** The text that the person chose to search for in the palette; null if the desk has it already. */
  requested: string | null;
  request: (search: string) => void;
  /** Call it once the page of the desk searches for the text. */
  onTaken: () => void;
};

const PaletteSearchContext = createContext<PaletteSearch | null>(null);

/** Passes a palette search to the desk, not in a URL: it may name people, and is recorded. */
export function PaletteSearchProvider({ children }: { children: ReactNode }) {
  const [requested, setRequested] = useState<string | null>(null);
  return (
    <PaletteSearchContext
      value={{ requested, request: setRequested, onTaken: () => setRequested(null) }}
    >
      {children}
    </PaletteSearchContext>
  );
}

export function usePaletteSearch(): PaletteSearch {
  const paletteSearch = use(PaletteSearchContext);
  if (paletteSearch === null) throw new Error('This is used outside of the support desk.');
  return paletteSearch;
}
