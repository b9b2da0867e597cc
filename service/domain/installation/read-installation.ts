import type { InstallationStatus } from '#lib/contract/support-desk/installation-status.ts';
import { maxHeldCount } from '#lib/contract/support-desk/max-held-count.ts';
import { dayMs, minuteMs } from '#lib/durations.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import { readBacklog } from '../../db/read-backlog.ts';
import { readLastBackup, readRestoredBackup } from '../../db/stored-settings.ts';
import { version } from '../../version.ts';
import { silentAfterMs } from './process-heartbeat.ts';
import {
  countHeldDeliveries,
  countWaitingEmails,
  deleteRepairsBefore,
  listProcesses,
  listRepairs,
  readDatabaseFacts,
  type DatabaseFacts,
  type ProcessRow,
} from './store.ts';

/** A mail server accepts most emails within seconds. */
const emailPatienceMs = minuteMs;

const maxRepairs = 5;

/** How the installation does, without anything of an account. */
export async function readInstallation(
  { db, config }: Pick<Context, 'db' | 'config'>,
  now: Date,
): Promise<Omit<InstallationStatus, 'failing_accounts'>> {
  const restored = await readRestoredBackup(db);
  const [processes, backlog, held, emails, database, lastBackup, repairs] = await Promise.all([
    listProcesses(db),
    readBacklog(db, now),
    countHeldDeliveries(db, { isAllHeld: restored !== null, limit: maxHeldCount }),
    countWaitingEmails(db, new Date(now.getTime() - emailPatienceMs)),
    readDatabaseFacts(db),
    readLastBackup(db),
    listRepairs(db, maxRepairs),
  ]);
  return {
    as_of: formatApiTime(now),
    version,
    processes: processes.map((process) => describeProcess(process, now)),
    backlog: {
      due_webhooks: backlog.dueWebhooks,
      oldest_due_seconds: backlog.oldestDueSeconds,
      failing_webhooks: backlog.failingWebhooks,
      held_deliveries: held,
    },
    database: describeDatabase(database, config),
    last_backup_at: lastBackup && formatApiTime(lastBackup),
    restored_backup_at: restored && formatApiTime(restored),
    emails: {
      waiting: emails.waiting,
      waiting_since: emails.since && formatApiTime(emails.since),
      next_attempt_at: emails.nextAttemptAt && formatApiTime(emails.nextAttemptAt),
      undeliverable: backlog.undeliverableEmails,
    },
    repairs: repairs.map(({ at, kind, webhooks, deliveries }) => ({
      at: formatApiTime(at),
      kind,
      webhooks,
      deliveries,
    })),
  };
}

function describeProcess(process: ProcessRow, now: Date): InstallationStatus['processes'][number] {
  const { id, host, pid, roles, startedAt, seenAt, memoryBytes } = process;
  return {
    id,
    host,
    pid,
    roles,
    version: process.version,
    memory_bytes: memoryBytes,
    started_at: formatApiTime(startedAt),
    seen_at: formatApiTime(seenAt),
    is_silent: now.getTime() - seenAt.getTime() > silentAfterMs,
  };
}

function describeDatabase(
  { version: server, sizeBytes, connections }: DatabaseFacts,
  { databaseUrl }: Context['config'],
): InstallationStatus['database'] {
  const isEmbedded = databaseUrl === null;
  return {
    engine: isEmbedded ? 'embedded' : 'postgresql',
    version: server,
    size_bytes: sizeBytes,
    // The embedded database has one connection, which says nothing.
    connections: isEmbedded ? null : connections,
  };
}

const repairsKeptMs = 30 * dayMs;

/** Removes repairs after 30 days. */
export async function deleteOldRepairs({
  db,
  clock,
}: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await deleteRepairsBefore(db, new Date(clock.now().getTime() - repairsKeptMs));
}
