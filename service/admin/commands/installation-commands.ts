import { version } from '../../version.ts';
import { checkEmbedded, checkPostgres } from '../../db/check-database.ts';
import { examine } from '../doctor.ts';
import { done, type CommandReader } from '../outcome.ts';
import { readEmail } from './read-arguments.ts';

export const readVersion: CommandReader = (args) =>
  args.length > 0 ? 'version takes no arguments.' : async () => done(version);

/** Opening the database runs the migrations, and `runAdmin` opens it before it runs a command. */
export const readMigrate: CommandReader = (args) =>
  args.length > 0
    ? 'migrate takes no arguments.'
    : async () => done(`The tables are those of version ${version}.`);

export const readDoctor: CommandReader = (args) => {
  const read = readMailTo(args);
  if ('reason' in read) return read.reason;
  return async ({ config, log, db }) =>
    await examine({
      config,
      log,
      ...read,
      checkDatabase: async (checkStored) =>
        config.databaseUrl === null
          ? [...(await checkEmbedded(db)), ...(await checkStored(db))]
          : await checkPostgres(config, checkStored),
    });
};

/** To whom the command `doctor` sends an email, if it names anyone. */
export function readMailTo(
  args: readonly string[],
): { mailTo: string | null } | { reason: string } {
  if (args.length > 1) return { reason: 'doctor takes no arguments, or one email address.' };
  if (args.length === 0) return { mailTo: null };
  const read = readEmail(args[0]);
  return 'reason' in read ? read : { mailTo: read.email };
}
