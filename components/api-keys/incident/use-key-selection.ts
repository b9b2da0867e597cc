'use client';

import { useState } from 'react';

import type { IncidentKey } from '#lib/contract/api-keys/incidents/incident-keys.ts';

export type SelectedKeys = {
  chosen: readonly IncidentKey[];
  isChosen: (apiKey: IncidentKey) => boolean;
  choose: (apiKey: IncidentKey, isIncluded: boolean) => void;
  chooseAll: () => void;
  clear: () => void;
};

/** Which of the listed keys are chosen: all of them, until the person chooses by hand. */
export function useKeySelection(keys: readonly IncidentKey[]): SelectedKeys {
  // Null: all listed keys. Once a person has chosen by hand, keys that appear later are not chosen.
  const [chosenByHand, setChosenByHand] = useState<ReadonlySet<string> | null>(null);
  const isChosen = ({ uuid }: IncidentKey) => chosenByHand?.has(uuid) ?? true;
  return {
    chosen: keys.filter(isChosen),
    isChosen,
    choose: ({ uuid }, isIncluded) => {
      const next = new Set(chosenByHand ?? keys.map((listed) => listed.uuid));
      if (isIncluded) next.add(uuid);
      else next.delete(uuid);
      setChosenByHand(next);
    },
    chooseAll: () => setChosenByHand(null),
    clear: () => setChosenByHand(new Set()),
  };
}
