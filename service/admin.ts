import { readAdminCommand } from './admin/commands.ts';
import type { AdminOutcome } from './admin/commands.ts';
import { askRunningService } from './admin/socket.ts';
import { hashPassword } from './auth/password.ts';
import { systemClock } from './clock.ts';
import { loadConfig } from './config/load-config.ts';
import type { Config } from './config/load-config.ts';
import { openDatabase } from './db/open.ts';
import { newToken } from './domain/api-keys/tokens/token.ts';
import type { Environment } from './config/environment.ts';
import { explainStartFailure } from './boot/explain-start-failure.ts';
import { createLogger } from './log/log.ts';

/**
 * Runs one operator command on the database that the environment names. Only one process can use the
 * embedded database: a service that runs on it executes the command itself.
 */
export async function runAdmin(
  args: readonly string[],
  environment: Environment,
): Promise<AdminOutcome> {
  // Prints nothing else, so that a script can keep what it prints.
  if (args.length === 1 && args[0] === 'make-token') return { exitCode: 0, text: newToken() };
  const command = readAdminCommand(args);
  if (typeof command !== 'function') return command;
  let config: Config | null = null;
  try {
    config = loadConfig(environment);
    const log = createLogger({ level: 'error', isPretty: true });
    if (config.databaseUrl === null) {
      const outcome = await askRunningService({ dataDir: config.dataDir, args, log });
      if (outcome) return outcome;
    }
    const database = await openDatabase({ config, log });
    try {
      return await command({ db: database.db, clock: systemClock, auth: { hashPassword } });
    } finally {
      await database.close();
    }
  } catch (error) {
    const told = explainStartFailure(error, config);
    if (told) return { exitCode: 1, text: told.message };
    throw error;
  }
}

if (import.meta.main) {
  const { exitCode, text } = await runAdmin(process.argv.slice(2), process.env);
  (exitCode === 0 ? process.stdout : process.stderr).write(`${text}\n`);
  process.exitCode = exitCode;
}
