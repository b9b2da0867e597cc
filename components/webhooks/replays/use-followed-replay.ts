'use client';

import { parseAsString, useQueryState } from 'nuqs';

/** The replay whose progress is shown, by its uuid in the address: a reload goes on showing it. */
export function useFollowedReplay(): [uuid: string | null, follow: (uuid: string | null) => void] {
  const [uuid, setUuid] = useQueryState('replay', parseAsString);
  return [uuid, (next) => void setUuid(next)];
}
