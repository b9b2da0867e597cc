import type pg from 'pg';
import { sqlstate } from '../../sqlstate.ts';

/**
 * Refuses a new connection to a server that takes no writes. After a failover, the name of the
 * server may lead to the old primary for a while, which is a standby now: the pool would keep such
 * connections for as long as they are used, although new ones would reach the new primary. A server
 * that becomes a standby ends its connections, so a check of new ones is enough.
 *
 * @throws an error with the code of a statement that tries to write there
 */
export async function refuseReadOnly(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>(
    'show transaction_read_only',
  );
  if (rows[0]?.transaction_read_only !== 'on') return;
  const error = new Error('The server is read-only, as a standby is.');
  throw Object.assign(error, { code: sqlstate.readOnlySqlTransaction });
}
