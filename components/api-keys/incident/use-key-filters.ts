'use client';

import { parseAsString, useQueryStates } from 'nuqs';

import { changeAddress } from '#components/ui/navigation/address-changes.ts';
import { type KeyFilterValues, noKeyFilters, withoutSecrets } from './key-filters.ts';

type KeyFilterControls = {
  values: KeyFilterValues;
  isFiltered: boolean;
  change: (part: Partial<KeyFilterValues>) => void;
  clear: () => void;
};

/**
 * The filters by which keys are chosen, stored in the URL so that links, reload and Back keep them.
 */
export function useKeyFilters(): KeyFilterControls {
  const [values, setValues] = useQueryStates(parsers);
  return {
    values,
    isFiltered: Object.values(values).some((value) => value !== ''),
    change: (part) => changeAddress(setValues(withoutSecrets(part))),
    clear: () => changeAddress(setValues(noKeyFilters)),
  };
}

const parsers = {
  creator: parseAsString.withDefault(''),
  from: parseAsString.withDefault(''),
  to: parseAsString.withDefault(''),
  address: parseAsString.withDefault(''),
};
