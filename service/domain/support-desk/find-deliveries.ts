import type { Db } from '../../db/open.ts';
import { mintAccountId } from '../account-id.ts';
import { findDeliveriesByName } from '../deliveries/find-deliveries.ts';
import { rolesThatMay } from './rules.ts';
import type { FindInput } from './rules.ts';
import type { Searcher } from './searcher.ts';
import { findAccountsOfNamed } from './store/deliveries.ts';

/**
 * The deliveries that an id finds, in all accounts that the person can open. What was sent to no
 * webhook is found as well, without a delivery.
 */
export async function findDeliveries(
  db: Db,
  searcher: Searcher,
  { search, skip, limit }: Omit<FindInput, 'roles'>,
) {
  const id = search.uuid ?? String(search.id);
  const roles = rolesThatMay('events.read');
  const all = await findAccountsOfNamed(db, searcher, { search, roles });
  const found = await Promise.all(
    all.map(async (access) => {
      const accountId = mintAccountId(access.accountId);
      const named = await findDeliveriesByName({ db }, accountId, { id, limit: skip + limit });
      return named.flatMap(({ what, deliveries }) =>
        [...deliveries, ...(deliveries.length === 0 ? [null] : [])].map((delivery) => ({
          access,
          named: what,
          delivery,
        })),
      );
    }),
  );
  return found.flat().slice(skip, skip + limit);
}
