import { parseAsString, useQueryState } from 'nuqs';
import { changeAddress } from '#components/ui/navigation/address-changes.ts';

/** The uuid of the replay whose progress is shown, stored in the URL so that a reload keeps it. */
export function useFollowedReplay(): [uuid: string | null, follow: (uuid: string | null) => void] {
  const [uuid, setUuid] = useQueryState('replay', parseAsString);
  return [uuid, (next) => changeAddress(setUuid(next))];
}
