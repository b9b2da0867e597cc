import { errorCode } from '../../error-code.ts';
import { sqlstate } from '../../sqlstate.ts';
import { StartError } from '../../start-error.ts';

/** The setting that holds the address of the server. */
export type DatabaseSetting = 'DATABASE_URL' | 'MIGRATION_DATABASE_URL';

/** The service could not connect to the PostgreSQL server. `cause` is the driver's error. */
export class ConnectFailure extends StartError {
  override readonly name: string = 'ConnectFailure';

  constructor(cause: unknown, setting: DatabaseSetting) {
    super(
      `Cannot connect to PostgreSQL: ${reasonOf(cause)}. ${adviceFor(cause).replace('%', setting)}`,
      { cause },
    );
  }
}

/** Whether the connection was refused, or PostgreSQL is still starting. */
export function isStarting(error: unknown): boolean {
  const code = errorCode(error instanceof ConnectFailure ? error.cause : error) ?? '';
  return ['ECONNREFUSED', 'EAI_AGAIN', sqlstate.cannotConnectNow].includes(code);
}

/** Whether a pooler does not know a parameter of the connection. */
export function isRefusedParameter(error: unknown): boolean {
  const cause = error instanceof ConnectFailure ? error.cause : error;
  const isViolation = errorCode(cause) === sqlstate.protocolViolation;
  return isViolation && reasonOf(cause).includes('startup parameter');
}

/** Whether a file that the address names, such as that of a certificate, could not be read. */
function isUnreadableFile(cause: unknown): boolean {
  const isAboutFile = ['ENOENT', 'EACCES', 'EISDIR'].includes(errorCode(cause) ?? '');
  return isAboutFile && cause instanceof Error && 'syscall' in cause && cause.syscall !== 'connect';
}

const notLetIn = new Set<string>([
  sqlstate.invalidAuthorizationSpecification,
  sqlstate.invalidPassword,
]);

function adviceFor(cause: unknown): string {
  const code = errorCode(cause) ?? '';
  const reason = reasonOf(cause);
  if (notLetIn.has(code) || reason.startsWith('SASL')) {
    return 'Correct the user or the password in %, or allow this user to connect.';
  }
  if (code === sqlstate.invalidCatalogName) return 'Create the database, or correct its name in %.';
  if (code === sqlstate.readOnlySqlTransaction) return 'Set % to a server that accepts writes.';
  if (code === sqlstate.tooManyConnections) {
    return 'End other connections, or raise max_connections of the server.';
  }
  if (isRefusedParameter(cause)) return 'Leave the parameter out of %.';
  if (isUnreadableFile(cause)) {
    return 'Correct the path in sslrootcert, sslcert or sslkey of %, or let this user read the file.';
  }
  if (/CERT|SSL|TLS/.test(code) || /\bSSL\b/.test(reason)) {
    return 'Correct sslmode in %, or the certificate of the server.';
  }
  return 'Check that the server runs and that % has its host and port.';
}

/** If a name has several addresses, the error of the first is used. */
function reasonOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const { message } = first instanceof Error ? first : new Error(String(first));
  return message.replace(/\.$/, '');
}
