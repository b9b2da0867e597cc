'use client';

import { parseAsStringLiteral, useQueryState } from 'nuqs';

import { changeAddress } from '#components/ui/navigation/address-changes.ts';
import {
  type RotationRequestState,
  rotationRequestStates,
} from '#lib/contract/api-keys/rotation-reasons.ts';

export type RequestStateFilter = RotationRequestState | 'any';

/** Which requests are listed, stored in the URL so that links, reload and Back keep it. */
export function useRequestState(): [RequestStateFilter, (state: RequestStateFilter) => void] {
  const [state, setState] = useQueryState('state', parser);
  return [state, (next) => changeAddress(setState(next))];
}

const parser = parseAsStringLiteral([...rotationRequestStates, 'any'] as const).withDefault('any');
