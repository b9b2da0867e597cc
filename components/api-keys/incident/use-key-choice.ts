'use client';

import { parseAsString, useQueryStates } from 'nuqs';

import { changeAddress } from '#components/ui/navigation/address-changes.ts';
import { type KeyChoiceView, noChoice } from './key-choice.ts';

type KeyChoiceControls = {
  view: KeyChoiceView;
  isFiltered: boolean;
  change: (part: Partial<KeyChoiceView>) => void;
  clear: () => void;
};

/**
 * The filters by which keys are chosen, stored in the URL so that links, reload and Back keep them.
 */
export function useKeyChoice(): KeyChoiceControls {
  const [view, setView] = useQueryStates(parsers);
  return {
    view,
    isFiltered: Object.values(view).some((value) => value !== ''),
    change: (part) => changeAddress(setView(part)),
    clear: () => changeAddress(setView(noChoice)),
  };
}

const parsers = {
  creator: parseAsString.withDefault(''),
  from: parseAsString.withDefault(''),
  to: parseAsString.withDefault(''),
  address: parseAsString.withDefault(''),
};
