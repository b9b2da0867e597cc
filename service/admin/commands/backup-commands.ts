import { countOf } from '#lib/count.ts';
import { formatExact } from '#lib/time.ts';
import type { Config } from '../../config/load-config.ts';
import { openBackup } from '../../db/backup/backup-lines.ts';
import type { BackupHeader } from '../../db/backup/backup-lines.ts';
import { restoreBackup, resumeDeliveries } from '../../db/backup/restore-backup.ts';
import type { ValidToken } from '../../db/backup/restore-backup.ts';
import { writeBackup } from '../../db/backup/write-backup.ts';
import { openDatabase } from '../../db/open.ts';
import { newestMigration } from '../../db/recorded-migrations.ts';
import { errorCode } from '../../error-code.ts';
import type { Logger } from '../../log/log.ts';
import { checkValue, readSecretKey } from '../../secrets/secret-key.ts';
import { version } from '../../version.ts';
import { done, failed } from '../outcome.ts';
import type { AdminOutcome, CommandReader } from '../outcome.ts';
import { formatTable } from './format-table.ts';

export const readBackup: CommandReader = ([path, ...more]) => {
  if (path === undefined || more.length > 0) return 'backup takes the path of a file.';
  return async ({ maintenanceDb, clock }) => {
    try {
      const rows = await writeBackup(maintenanceDb, path, clock.now());
      return done(
        `Wrote ${countOf(rows, 'row')} to ${path}. Keep SECRET_KEY, or the file secret-key, apart from it.`,
      );
    } catch (error) {
      const code = errorCode(error);
      if (code === null || !pathErrors.has(code)) throw error;
      return failed(
        `The backup cannot be written to ${path} (${code}). Name a file in a folder on a disk with enough space, in which the user of the service may create files.`,
      );
    }
  };
};

const pathErrors = new Set([
  'EACCES',
  'EDQUOT',
  'EISDIR',
  'ENAMETOOLONG',
  'ENOENT',
  'ENOSPC',
  'ENOTDIR',
  'EPERM',
  'EROFS',
]);

/** Always refuses: a running service may receive it. With no service running, `restore` runs. */
export const readRestore: CommandReader = (args) =>
  args.length === 1
    ? async () => failed('A service runs on this database. Stop it, and restore into an empty one.')
    : 'restore takes the path of a backup.';

/**
 * Restores a backup into the database of the settings. It opens the database itself: other commands
 * run on one that has an installation already.
 */
export async function restore(
  path: string,
  { config, log, now }: { config: Config; log: Logger; now: Date },
): Promise<AdminOutcome> {
  const { header, lines } = await openBackup(path);
  const refusal = refuseTables(header) ?? (await refuseKey(header, config));
  if (refusal !== null) return failed(refusal);
  const target = await openDatabase({ config, log, patienceMs: 0 });
  try {
    const restored = await restoreBackup(target.maintenanceDb, { header, lines }, now);
    const place = config.databaseUrl === null ? 'DATA_DIR' : 'DATABASE_URL';
    return restored === null
      ? failed(`The database in ${place} already has data. Restore into an empty one.`)
      : done(describeRestored(header, restored));
  } finally {
    await target.close();
  }
}

function refuseTables(header: BackupHeader): string | null {
  if (header.formatVersion === 1 && header.migration === newestMigration()) return null;
  return `The backup was written by version ${header.version}, whose tables are not those of this version (${version}). Restore it with version ${header.version}, then install this one.`;
}

async function refuseKey(header: BackupHeader, config: Config): Promise<string | null> {
  if (header.keyCheck === null) return null;
  const key = await readSecretKey(config);
  if (key !== null && checkValue(key) === header.keyCheck) return null;
  const wrong =
    key === null
      ? 'There is no SECRET_KEY.'
      : 'SECRET_KEY is not the key that encrypted the secrets in this backup.';
  return `${wrong} Set SECRET_KEY to the key of the installation that was backed up, or put its file secret-key into DATA_DIR with mode 0600.`;
}

function describeRestored(
  header: BackupHeader,
  { rows, tokens }: { rows: number; tokens: ValidToken[] },
): string {
  const listed =
    tokens.length === 0
      ? 'No tokens of API keys are valid in the backup.'
      : `${countOf(tokens.length, 'token is', 'tokens are')} valid now, also if it was revoked or replaced after the backup. Revoke the keys that must not work:\n\n${formatTokens(tokens)}`;
  return `Restored ${countOf(rows, 'row')} as of ${formatExact(new Date(header.createdAt))}. Everyone has to sign in again.

${listed}

Deliveries are on hold. Start the service, check the keys, then let it send:
  npm run admin -- resume-deliveries        sends what was pending in the backup, which may have been delivered since
  npm run admin -- resume-deliveries skip   cancels what was pending in the backup`;
}

function formatTokens(tokens: readonly ValidToken[]): string {
  return formatTable(
    ['Account', 'API key', 'ID', 'Token', 'Valid until'],
    tokens.map(({ account, key, keyUuid, lastFour, validUntil }) => [
      account,
      key,
      keyUuid,
      `…${lastFour}`,
      validUntil ? formatExact(validUntil) : '',
    ]),
  );
}

export const readResumeDeliveries: CommandReader = ([choice, ...more]) => {
  if (more.length > 0 || (choice !== undefined && choice !== 'skip')) {
    return 'resume-deliveries takes no arguments, or skip.';
  }
  return async ({ db, clock }) => {
    const skipped = await resumeDeliveries(db, { skip: choice === 'skip', now: clock.now() });
    if (skipped === null) return done('Deliveries were not on hold.');
    const cancelled =
      choice === 'skip' ? ` ${countOf(skipped, 'delivery was', 'deliveries were')} cancelled.` : '';
    return done(`Deliveries are sent again.${cancelled}`);
  };
};
