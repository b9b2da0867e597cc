import pg from 'pg';
import { parse } from 'pg-connection-string';

/** The parameters of a connection. */
type Parameters = Partial<Record<'host' | 'port' | 'user' | 'password' | 'database', string>>;

/**
 * The same server with some parameters replaced, as a URL. It includes the defaults that this
 * process takes from its environment, so that a process with another environment finds the same
 * server.
 *
 * @param address in any form that `pg` accepts: a URL, or the path of a socket
 */
export function replaceInAddress(address: string, replaced: Parameters): string {
  const { database, ...others } = { ...parametersOf(address), ...replaced };
  const query = new URLSearchParams(others);
  // `pg` decodes the name with decodeURI.
  return `postgres:///${encodeURI(database ?? '')}?${query.toString().replaceAll('+', '%20')}`;
}

/** Where a server listens, in the form that `connect` of `node:net` accepts. */
export function listenerOf(address: string): { path: string } | { host: string; port: number } {
  const { host, port } = new pg.Client({ connectionString: address });
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
}

function parametersOf(address: string): Parameters & Record<string, string> {
  const { host, port, user, password, database } = new pg.Client({ connectionString: address });
  const { ssl, ...given } = parse(address);
  return Object.fromEntries(
    Object.entries({
      ...given,
      // `pg` made an object from other parameters, which are passed as well.
      ssl: typeof ssl === 'boolean' ? String(Number(ssl)) : ssl,
      host,
      port: String(port),
      user,
      password,
      database,
    }).filter(isText),
  );
}

function isText(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === 'string' && entry[1] !== '';
}
