import { withCauses, errorCode } from '../error-code.ts';
import { serverNotRunning, sqlstate, sqlstateClass } from '../sqlstate.ts';

/** Classes of PostgreSQL's codes for a database that is away, starting, stopping or full. */
const awayClasses = [
  sqlstateClass.connectionException,
  sqlstateClass.insufficientResources,
  serverNotRunning,
];
const temporaryCodes = new Set<string>([
  // A standby accepts only reads.
  sqlstate.readOnlySqlTransaction,
  // A statement or an idle transaction that took too long, or one of two conflicting transactions.
  sqlstate.queryCanceled,
  sqlstate.idleInTransactionSessionTimeout,
  sqlstate.serializationFailure,
  sqlstate.deadlockDetected,
  // The network failed.
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** The driver's messages, without a code, for a connection that was lost or not opened. */
const connectionFailure =
  /connection (?:terminated|timeout)|timeout exceeded when trying|is not queryable/i;

/**
 * Whether the database refused or lost work for a reason that is usually over after a moment, such
 * as a lost connection, a restart or a lock, so that the same work may succeed if it is repeated.
 */
export function isTemporaryError(error: unknown): boolean {
  return withCauses(error).some((cause) => {
    const code = errorCode(cause) ?? '';
    return (
      temporaryCodes.has(code) ||
      awayClasses.some((prefix) => code.startsWith(prefix)) ||
      connectionFailure.test(cause.message)
    );
  });
}
