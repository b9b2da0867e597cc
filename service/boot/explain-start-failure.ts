import type { Config } from '../config/load-config.ts';
import { StartError } from './start-error.ts';

type Cause = { code: string; path: string | null };

/**
 * What an operator can do about a failure at the start, in a sentence; null where that cannot be
 * told from its cause.
 */
export function explainStartFailure(
  error: unknown,
  config: Pick<Config, 'dataDir' | 'databaseUrl'> | null,
): StartError | null {
  if (error instanceof StartError) return error;
  if (config === null) return null;
  const { dataDir, databaseUrl } = config;
  for (const { code, path } of causesOf(error)) {
    if (code === diskFull && databaseUrl !== null) {
      return new StartError(
        'The disk of the PostgreSQL server is full. Free some space on it, then start again.',
      );
    }
    if (code === diskFull || noRoom.has(code)) {
      return new StartError(
        `The disk that holds the data folder ${dataDir} is full (${code}). Free some space on it, then start again.`,
      );
    }
    if (code === readOnly) {
      return new StartError(
        'The database that DATABASE_URL names may only be read, as a standby may. Name one that takes writes.',
      );
    }
    if (noRight.has(code) && path?.startsWith(dataDir)) {
      return new StartError(
        `The data folder ${dataDir} cannot be written to (${code}). Let this process write there, or give it another DATA_DIR.`,
      );
    }
  }
  return null;
}

/** PostgreSQL's `disk_full` and `read_only_sql_transaction`. */
const diskFull = '53100';
const readOnly = '25006';
const noRoom = new Set(['ENOSPC', 'EDQUOT']);
const noRight = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR']);

function* causesOf(error: unknown): Generator<Cause> {
  for (
    let cause = error;
    typeof cause === 'object' && cause !== null;
    cause = 'cause' in cause ? cause.cause : null
  ) {
    if ('code' in cause && typeof cause.code === 'string') {
      yield { code: cause.code, path: pathOf(cause) };
    }
    // What PGlite's file system throws: no error, and numbers of WASI.
    const code = 'errno' in cause && 'name' in cause && cause.name === 'ErrnoError' && cause.errno;
    if (code === 51) yield { code: 'ENOSPC', path: null };
    if (code === 19) yield { code: 'EDQUOT', path: null };
  }
}

function pathOf(cause: object): string | null {
  return 'path' in cause && typeof cause.path === 'string' ? cause.path : null;
}
