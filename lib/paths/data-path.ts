import { accountPath, supportDeskPath } from './account-path.ts';
import { toQueryString } from './query-string.ts';

type QueryValues = Record<string, string | number | boolean | null | undefined>;

/** What an address can carry of the input of a route. */
export type AddressedInput = { params?: Record<string, string>; query?: QueryValues };

/**
 * The address at which a page reads a route: its name, and its input in the query, each value under
 * the part of the input to which it belongs, as in `listDeliveries?params.webhook=7&query.limit=20`.
 *
 * @param accountId null at the support desk, whose data is of all accounts
 */
export function dataPath(
  accountId: string | null,
  route: string,
  { params = {}, query = {} }: AddressedInput,
): string {
  const path = `data/${route}`;
  const search = toQueryString({ ...under('params', params), ...under('query', query) });
  const address = accountId === null ? `${supportDeskPath}/${path}` : accountPath(accountId, path);
  return search === '' ? address : `${address}?${search}`;
}

function under(part: string, values: QueryValues): QueryValues {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`${part}.${name}`, value]),
  );
}

/**
 * The input in the query of such an address. What belongs to no part is a part of its own, which
 * the schemas of routes refuse; of values with the same name, the last counts.
 */
export function readRouteSearch(search: URLSearchParams): AddressedInput {
  const given = new Map<string, Map<string, string>>();
  for (const [key, value] of search) {
    const [part = '', ...name] = key.split('.');
    const values = given.get(part) ?? new Map<string, string>();
    given.set(part, values.set(name.join('.'), value));
  }
  return Object.fromEntries([...given].map(([part, values]) => [part, Object.fromEntries(values)]));
}
