import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { switchToFolderOwner } from './admin/switch-to-folder-owner.ts';
import { readAdminCommand } from './admin/commands.ts';
import { restore } from './admin/commands/backup-commands.ts';
import { readMailTo } from './admin/commands/installation-commands.ts';
import { checkPostgres } from './db/check-database.ts';
import { examine } from './admin/doctor.ts';
import { misused } from './admin/outcome.ts';
import type { AdminCommand, AdminOutcome } from './admin/outcome.ts';
import { askRunningService } from './admin/socket.ts';
import { scryptHashing } from './auth/password.ts';
import { effects } from './boot/effects.ts';
import { explainStartFailure } from './boot/explain-start-failure.ts';
import { loadKeys } from './boot/load-keys.ts';
import { StartError } from './start-error.ts';
import { systemClock } from './clock.ts';
import type { Environment } from './config/environment.ts';
import { loadConfig } from './config/load-config.ts';
import type { Config } from './config/load-config.ts';
import { DataDirInUseError } from './db/embedded/lock.ts';
import { openDatabase } from './db/open.ts';
import { withAuditChain } from './domain/audit/chain/append-entries.ts';
import { newToken } from './tokens/token.ts';
import { version } from './version.ts';
import { createMailer } from './mail/mailer.ts';
import { createLogger } from './log/log.ts';
import type { Logger } from './log/log.ts';

/** How often to try a data folder that another process uses, and how to wait in between. */
type Pace = { triesInUse: number; pause: () => Promise<unknown> };

/** Longer than a service takes to start or stop on a busy machine. */
const defaultPace: Pace = { triesInUse: 120, pause: () => sleep(250) };

/** Commands without settings or a database. They print only the value, for scripts. */
const withoutDatabase = new Map([
  ['make-token', newToken],
  ['version', () => version],
]);

/**
 * Runs one operator command on the database that the environment names. Only one process can use
 * the embedded database: if a service is running on it, that service executes the command.
 */
export async function runAdmin(
  given: readonly string[],
  environment: Environment,
  pace: Pace = defaultPace,
): Promise<AdminOutcome> {
  const args = withAbsolutePath(given, environment);
  const print = args.length === 1 && withoutDatabase.get(args[0] ?? '');
  if (print) return { exitCode: 0, text: print() };
  const command = readAdminCommand(args);
  if (typeof command !== 'function') return command;
  let config: Config | null = null;
  try {
    config = loadConfig(environment);
    const log = createLogger({ level: 'error', isPretty: true });
    const about = { config, command, log, mustExist: args[0] !== 'migrate' };
    if (args[0] === 'doctor') return await runDoctor({ ...about, args, pace });
    const [name, path] = args;
    if (name === 'restore' && path !== undefined) {
      const run = async () => await restore(path, { config: about.config, log, now: new Date() });
      return config.databaseUrl === null
        ? await runOnDataDir({ ...about, args, pace, run })
        : await run();
    }
    return config.databaseUrl === null
      ? await runOnDataDir({ ...about, args, pace })
      : await runOnDatabase(about);
  } catch (error) {
    const explained = explainStartFailure(error, config);
    if (explained) return { exitCode: 1, text: explained.message };
    throw error;
  }
}

/**
 * Paths of backups are meant from where the operator runs the command, which npm changes; the
 * service that executes it may run in another folder.
 */
function withAbsolutePath(args: readonly string[], environment: Environment): readonly string[] {
  const [name, path, ...more] = args;
  if ((name !== 'backup' && name !== 'restore') || path === undefined) return args;
  return [name, resolve(environment['INIT_CWD'] ?? '', path), ...more];
}

/** Runs all checks, even without a database. PostgreSQL is not opened: that runs migrations. */
async function runDoctor(
  task: Task & { args: readonly string[]; pace: Pace },
): Promise<AdminOutcome> {
  const { config, log, args } = task;
  const read = readMailTo(args.slice(1));
  if ('reason' in read) return misused(read.reason);
  const about = { config, log, ...read };
  if (config.databaseUrl !== null) {
    return await examine({
      ...about,
      checkDatabase: async (checkStored) => await checkPostgres(about.config, checkStored),
    });
  }
  try {
    return await runOnDataDir(task);
  } catch (error) {
    const explained = explainStartFailure(error, config);
    if (!explained) throw error;
    return await examine({ ...about, checkDatabase: () => Promise.reject(explained) });
  }
}

type Task = {
  config: Config;
  command: AdminCommand;
  log: Logger;
  /** Whether to refuse a database without an installation, instead of creating one there. */
  mustExist: boolean;
};

/**
 * Runs the command on the embedded database. A process that uses the data folder without listening
 * is a service that is starting or stopping, or another command.
 */
async function runOnDataDir(
  task: Task & { args: readonly string[]; pace: Pace; run?: () => Promise<AdminOutcome> },
): Promise<AdminOutcome> {
  const { config, args, log, pace, run = async () => await runOnDatabase(task) } = task;
  for (let tries = 1; ; tries += 1) {
    const outcome = await askRunningService({ dataDir: config.dataDir, args, log });
    if (outcome) return outcome;
    await switchToFolderOwner(config.dataDir);
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof DataDirInUseError)) throw error;
      if (tries >= pace.triesInUse) {
        throw new StartError(
          `${error.fact} It does not accept commands; see its log for the reason. Run the command again once it is ready.`,
          { cause: error },
        );
      }
      await pace.pause();
    }
  }
}

async function runOnDatabase({ config, command, log, mustExist }: Task): Promise<AdminOutcome> {
  const database = await openDatabase({ config, log, mustExist, patienceMs: 0 });
  const mail = createMailer({ config, log });
  try {
    // Without a previous key, because only a start of the service changes the key of a database.
    const current = { ...config, secretKeyPrevious: null };
    const { auditKeys } = await loadKeys(database.db, { config: current, log });
    const db = withAuditChain(database.db, auditKeys);
    const auth = scryptHashing;
    const { maintenanceDb } = database;
    const about = { db, maintenanceDb, clock: systemClock, config, log };
    return await command({ ...about, auth, mail, auditKeys, effects, tracing: null });
  } finally {
    await mail.close();
    await database.close();
  }
}
