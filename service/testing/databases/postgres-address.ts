import pg from 'pg';
import { parse } from 'pg-connection-string';

/** What a client is told of a server. */
type Parameters = Partial<Record<'host' | 'port' | 'user' | 'password' | 'database', string>>;

/**
 * The same server with some of it replaced, as a URL. It says what this process takes from the
 * defaults of its own environment as well, so that a process with another one finds the same server.
 *
 * @param address in any form that pg takes: a URL, or the path of a socket
 */
export function replaceInAddress(address: string, replaced: Parameters): string {
  const { database, ...others } = { ...parametersOf(address), ...replaced };
  const query = new URLSearchParams(others);
  // pg reads the name with decodeURI.
  return `postgres:///${encodeURI(database ?? '')}?${query.toString().replaceAll('+', '%20')}`;
}

/** Where a server listens, as `connect` of `node:net` takes it. */
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
      // An object was made of other parameters, which are given as well.
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
