import { join, sep } from 'node:path';
import type { Config } from '../config/load-config.ts';
import { isTemporaryError } from '../domain/is-temporary-error.ts';
import { withCauses } from '../error-code.ts';
import { sqlstate } from '../sqlstate.ts';
import { StartError } from '../start-error.ts';

type Cause = {
  code: string;
  message: string;
  /** The file the failure is about, if known: a path, or a file of the embedded database. */
  file: { path: string } | 'database' | null;
};

type Place = Pick<Config, 'dataDir' | 'databaseUrl' | 'migrationDatabaseUrl'>;

/** What an operator can do about a failure at the start; null if the cause is unknown. */
export function explainStartFailure(error: unknown, config: Place | null): StartError | null {
  if (error instanceof StartError) return error;
  if (config === null) return null;
  const explain = config.databaseUrl === null ? explainFolder : explainServer;
  for (const cause of causesOf(error)) {
    const sentence = explain(cause, config);
    if (sentence !== null) return new StartError(sentence, { cause: error });
  }
  const isServerAway = config.databaseUrl !== null && isTemporaryError(error);
  return isServerAway ? new StartError(explainLoss(error, config), { cause: error }) : null;
}

/** The migrations run in one transaction, and everything after them can be repeated. */
function explainLoss(error: unknown, { migrationDatabaseUrl }: Place): string {
  const reason = [...withCauses(error)].at(-1)?.message;
  const places =
    migrationDatabaseUrl === null
      ? 'DATABASE_URL has'
      : 'DATABASE_URL and MIGRATION_DATABASE_URL have';
  return `PostgreSQL failed during the start: ${reason}. Check that the server runs and that ${places} its host and port, then start again: the steps that are complete are kept.`;
}

function explainServer({ code, message }: Cause, { migrationDatabaseUrl }: Place): string | null {
  if (code === sqlstate.diskFull) {
    return 'The disk of the PostgreSQL server is full. Free some space on it, then try again.';
  }
  if (code === sqlstate.readOnlySqlTransaction) {
    return 'The PostgreSQL server is read-only, as a standby is. Set DATABASE_URL to a server that accepts writes.';
  }
  if (code === sqlstate.duplicateTable) {
    return `The database has tables of another program: ${message}. Set DATABASE_URL to a database of its own for this service.`;
  }
  if (code === sqlstate.insufficientPrivilege) {
    const advice = 'Grant that right to the user in DATABASE_URL';
    return migrationDatabaseUrl === null
      ? `PostgreSQL refused a statement: ${message}. ${advice}, or set MIGRATION_DATABASE_URL to a user who can create tables.`
      : `PostgreSQL refused a statement: ${message}. ${advice} or in MIGRATION_DATABASE_URL.`;
  }
  return null;
}

const noRoom = new Set<string>([sqlstate.diskFull, 'ENOSPC', 'EDQUOT']);
const noRight = new Set(['EACCES', 'EPERM', 'EROFS', 'ELOOP']);
const noFolder = new Set(['ENOTDIR', 'EEXIST']);

function explainFolder({ code, file }: Cause, { dataDir }: Place): string | null {
  if (noRoom.has(code)) {
    return `The disk that holds the data folder ${dataDir} is full (${code}). Free some space on it, then try again.`;
  }
  if (file === null || !isOfFolder(file, dataDir)) return null;
  if (code === 'ENOENT' && isOnTheWayTo(dataDir, file)) {
    return `The data folder ${dataDir} cannot be created, because its file system allows no new folders there (${code}). Set DATA_DIR to a folder on a disk.`;
  }
  if (code === 'ENAMETOOLONG') {
    return `The path of the data folder ${dataDir} is too long (${code}). Set DATA_DIR to a shorter path.`;
  }
  if (noFolder.has(code)) {
    return `The data folder ${dataDir} is a file, is inside one, or is behind a symbolic link that leads nowhere. Set DATA_DIR to a folder, or mount its disk.`;
  }
  // Often root has put it there.
  if (code === 'EACCES' && file !== 'database' && file.path === join(dataDir, 'secret-key')) {
    return `Cannot read ${file.path} (${code}). Give the file to the user who runs the service (chown), with mode 0600.`;
  }
  if (noRight.has(code)) {
    return `Cannot read and write the data folder ${dataDir} (${code}). Correct DATA_DIR, run as the user who owns the folder, or give this user access to it.`;
  }
  return null;
}

/** Whether the file is inside the folder, or is a folder on the way to it. */
function isOfFolder(file: NonNullable<Cause['file']>, folder: string): boolean {
  return file === 'database' || isWithin(file.path, folder) || isOnTheWayTo(folder, file);
}

function isOnTheWayTo(folder: string, file: NonNullable<Cause['file']>): boolean {
  return file !== 'database' && isWithin(folder, file.path);
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** What PGlite's file system throws: not an error, but a number of WASI. */
const wasiCodes = new Map<unknown, string>([
  [2, 'EACCES'],
  [19, 'EDQUOT'],
  [51, 'ENOSPC'],
  [63, 'EPERM'],
  [69, 'EROFS'],
]);

function* causesOf(error: unknown): Generator<Cause> {
  for (
    let cause = error;
    typeof cause === 'object' && cause !== null;
    cause = 'cause' in cause ? cause.cause : null
  ) {
    const message = 'message' in cause ? String(cause.message) : '';
    if ('code' in cause && typeof cause.code === 'string') {
      yield { code: cause.code, message, file: fileOf(cause) };
    }
    if ('errno' in cause && 'name' in cause && cause.name === 'ErrnoError') {
      const code = wasiCodes.get(cause.errno);
      if (code !== undefined) yield { code, message, file: 'database' };
    }
  }
}

function fileOf(cause: object): Cause['file'] {
  return 'path' in cause && typeof cause.path === 'string' ? { path: cause.path } : null;
}
