import { hideSecrets } from '#components/shell/search/hide-secrets.ts';
import type { IncidentKeyFilters } from '#lib/contract/api-keys/incidents/incident-keys.ts';
import type { SearchParams } from '#lib/paths/search-params.ts';
import { startOfDay } from '#lib/time.ts';

/** The filters of the page, as the URL has them. Empty: not set. */
export type KeyFilterValues = {
  /** In the form in which the service names a creator. */
  creator: string;
  /** The first day, in the reader's time zone: "2026-11-20". */
  from: string;
  /** The last day. */
  to: string;
  address: string;
};

export const noKeyFilters: KeyFilterValues = { creator: '', from: '', to: '', address: '' };

/**
 * The query for the service, with days of this time zone. A date that does not exist counts as not
 * set.
 */
export function toIncidentKeyFilters({
  creator,
  from,
  to,
  address,
}: KeyFilterValues): IncidentKeyFilters {
  const after = startOfDay(from);
  const before = startOfDay(to, 1);
  return {
    ...(creator !== '' && { created_by: creator }),
    ...(after !== null && { created_after: after.toISOString() }),
    ...(before !== null && { created_before: before.toISOString() }),
    ...(address.trim() !== '' && { address: address.trim() }),
  };
}

/** Changed filters as they become part of the URL: someone may paste a token as the address. */
export function withoutSecrets(changed: Partial<KeyFilterValues>): Partial<KeyFilterValues> {
  const { address } = changed;
  return address === undefined ? changed : { ...changed, address: hideSecrets(address) };
}

/** Reads the filters from the query that Next passes to a page. */
export function readKeyFilters(search: SearchParams): KeyFilterValues {
  const text = (name: keyof KeyFilterValues) => {
    const value = search[name];
    return typeof value === 'string' ? value : '';
  };
  return {
    creator: text('creator'),
    from: text('from'),
    to: text('to'),
    address: text('address'),
  };
}
