import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { dayMs } from '#lib/durations.ts';
import { formatExact } from '#lib/time.ts';
import type { Config } from '../config/load-config.ts';
import type { Db } from '../db/open.ts';
import { readKeyCheck, readLastBackup, readRestoredBackup } from '../db/stored-settings.ts';
import { errorCode } from '../error-code.ts';
import type { Logger } from '../log/log.ts';
import { outboxOf } from '../mail/outbox.ts';
import { sendTestMail } from '../mail/test-mail.ts';
import { checkMailServer } from '../mail/transport.ts';
import { checkValue, readSecretKey } from '../secrets/secret-key.ts';
import { StartError } from '../start-error.ts';
import { version } from '../version.ts';
import { reported, type AdminOutcome } from './outcome.ts';
import { findingOf, note, wrong, type Finding } from '../finding.ts';

type Examination = {
  config: Config;
  log: Logger;
  /** Where to send an email; null: nowhere. */
  mailTo: string | null;
  /** `checkStored` checks what the tables contain, if they can be read. */
  checkDatabase: (checkStored: (db: Db) => Promise<Finding[]>) => Promise<Finding[]>;
};

/** Checks an installation in all its parts. The exit code is 1 if something is wrong. */
export async function examine(examination: Examination): Promise<AdminOutcome> {
  const { config, checkDatabase } = examination;
  const findings = await Promise.all([
    databaseFindings(() => checkDatabase((db) => checkStored(db, config))),
    checkRedis(config),
    checkMail(examination),
    checkPublicUrl(config),
    checkDisk(config),
    checkModes(config),
  ]);
  const settings: Finding = { about: 'configuration', state: 'ok', says: 'all settings are valid' };
  return report([settings, ...findings.flat()]);
}

async function databaseFindings(check: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return [{ about: 'database', ...wrong(error.message) }];
  }
}

function report(findings: readonly Finding[]): AdminOutcome {
  const width = Math.max(...findings.map(({ about }) => about.length));
  const lines = findings.map(
    ({ about, state, says }) =>
      `${state.padEnd(5)}  ${about.padEnd(width)}  ${says.replaceAll('\n', `\n${' '.repeat(width + 9)}`)}`,
  );
  const count = findings.filter(({ state }) => state === 'wrong').length;
  const end = count === 0 ? 'Nothing is wrong.' : `${count} of ${findings.length} are wrong.`;
  return reported([...lines, '', end].join('\n'), count === 0);
}

async function checkStored(db: Db, config: Config): Promise<Finding[]> {
  const advice = 'Check the log of the database server';
  return [
    await findingOf('SECRET_KEY', advice, async () => await checkKey(db, config)),
    await findingOf('backup', advice, async () =>
      describeBackup(await readLastBackup(db), Date.now()),
    ),
    await findingOf('deliveries', advice, async () => describeHold(await readRestoredBackup(db))),
  ];
}

async function checkKey(db: Db, config: Config) {
  const [stored, key] = [await readKeyCheck(db), await readSecretKey(config)];
  if (stored === null) return 'nothing is encrypted in this database yet';
  if (key !== null && checkValue(key) === stored) return 'is the key that encrypted this database';
  const { secretKeyPrevious: previous } = config;
  return previous !== null && checkValue(previous) === stored
    ? note(
        'The next start of the service encrypts everything again with SECRET_KEY. Then remove SECRET_KEY_PREVIOUS.',
      )
    : wrong(
        'This is not the key that encrypted this database. Set SECRET_KEY to that key; without it, the service does not start.',
      );
}

const maxBackupAgeDays = 7;

export function describeBackup(last: Date | null, now: number) {
  const how =
    'Run: npm run admin -- backup <file>. If you back up the database in another way, ignore this.';
  if (last === null) return note(`There is none. ${how}`);
  const days = Math.floor((now - last.getTime()) / dayMs);
  return days > maxBackupAgeDays
    ? note(`The last one is ${days} days old (${formatExact(last)}). ${how}`)
    : `the last one is of ${formatExact(last)}`;
}

function describeHold(restored: Date | null) {
  return restored === null
    ? 'are not on hold'
    : note(
        `They are on hold, because a backup of ${formatExact(restored)} was restored. Check the API keys, then run: npm run admin -- resume-deliveries`,
      );
}

async function checkRedis({ redisUrl, redisTimeoutMs, databaseUrl }: Config): Promise<Finding> {
  const advice = 'Check that the server runs, and correct REDIS_URL';
  return await findingOf('Redis', `${advice}.`, async () => {
    if (redisUrl === null) {
      const says = 'not used: this process counts rate limits by itself';
      return databaseUrl === null ? says : note(`${says}. With several processes, set REDIS_URL.`);
    }
    const { Redis } = await import('ioredis');
    const redis = new Redis(redisUrl, {
      lazyConnect: true,
      connectTimeout: 5000,
      commandTimeout: 5000,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
    });
    // Says why, such as that the server refused the connection; "connect" says that it is closed.
    let failure: Error | null = null;
    redis.on('error', (error: Error) => (failure = error));
    try {
      await redis.connect().catch((error: unknown) => {
        throw failure ?? error;
      });
      const began = performance.now();
      await redis.eval('return 1', 0);
      const tookMs = Math.ceil(performance.now() - began);
      return tookMs > redisTimeoutMs
        ? wrong(
            `It took ${tookMs} ms to respond, longer than REDIS_TIMEOUT_MS allows. Use a closer server, or raise REDIS_TIMEOUT_MS.`,
          )
        : `runs scripts, and responds within ${tookMs} ms`;
    } finally {
      redis.disconnect();
    }
  });
}

async function checkMail({ config, log, mailTo }: Examination): Promise<Finding> {
  const advice = 'Correct SMTP_URL (docs/operations/configuration.md, "The mail server").';
  return await findingOf('mail', advice, async () => {
    if (mailTo !== null) {
      await sendTestMail(config, { to: mailTo, log });
      return config.smtpUrl === null
        ? note(`wrote an email to ${mailTo} to ${outboxOf(config)}, because SMTP_URL is not set.`)
        : `the mail server accepted an email to ${mailTo}`;
    }
    if (config.smtpUrl === null) {
      return note(
        'Emails are written to DATA_DIR/outbox. Set SMTP_URL before others use this installation.',
      );
    }
    await checkMailServer(config.smtpUrl);
    return 'the mail server lets the service in. To send an email: doctor <email>';
  });
}

const healthSchema = z.object({ status: z.literal('ok'), version: z.string() });

/** Asks for the service at PUBLIC_URL, as a browser on this machine would reach it. */
async function checkPublicUrl({ publicUrl, roles }: Config): Promise<Finding> {
  const advice = `Start the service and the proxy, and let ${publicUrl.host} lead to the proxy from here too.`;
  return await findingOf('PUBLIC_URL', advice, async () => {
    const ask = async (path: string) =>
      await fetch(new URL(path, publicUrl), {
        redirect: 'manual',
        signal: AbortSignal.timeout(10_000),
      });
    const response = await ask('/healthz');
    const found = healthSchema.safeParse(await response.json().catch(() => null));
    if (!found.success) {
      return wrong(
        `Another program responded to ${publicUrl.origin}/healthz (status ${response.status}). Let the proxy send all paths to the service.`,
      );
    }
    if (found.data.version !== version) {
      return note(
        `Version ${found.data.version} runs at ${publicUrl.origin}, and this is ${version}. Restart the service if it was upgraded.`,
      );
    }
    if (!roles.has('web')) return `the service responds at ${publicUrl.origin}`;
    const { status } = await ask('/sign-in');
    if (status === 421) {
      return wrong(
        `The service does not serve pages under the host that the proxy sends. Let the proxy pass on the header Host, or add its address to TRUSTED_PROXIES.`,
      );
    }
    return status === 200 || (status >= 300 && status < 400)
      ? `the service and its pages respond at ${publicUrl.origin}`
      : wrong(`The sign-in page responds with ${status}. See the log of the service.`);
  });
}

const minFreeBytes = 1024 ** 3;

/** With PostgreSQL, the folder has at most a key and the outbox, and may not exist. */
async function checkDisk({ dataDir, databaseUrl }: Config): Promise<Finding> {
  return await findingOf('disk', 'Correct DATA_DIR.', async () => {
    const found = await statfs(dataDir).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    });
    if (found === null) return `there is no data folder ${dataDir}`;
    return describeDisk(found.bavail * found.bsize, { dataDir, databaseUrl });
  });
}

export function describeDisk(
  freeBytes: number,
  { dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>,
) {
  const says = `${(freeBytes / 1024 ** 3).toFixed(1)} GiB are free for ${dataDir}`;
  if (freeBytes >= minFreeBytes || databaseUrl !== null) return says;
  return wrong(`Only ${says}. Free some space: the database cannot write on a full disk.`);
}

/**
 * Others may neither read the key nor enter the folders with data and emails. With PostgreSQL, the
 * data folder may be a volume that the service does not own, and has nothing else in it. Files of
 * settings may be readable by their group, and in containers they usually are by everyone.
 */
async function checkModes(config: Config): Promise<Finding> {
  const { dataDir, databaseUrl, settingFiles } = config;
  return await findingOf('file modes', 'Run this as the user who runs the service.', async () => {
    const folders = [...(databaseUrl === null ? [dataDir] : []), outboxOf(config)];
    const open = await findOpen([...folders, join(dataDir, 'secret-key')], 0o077);
    const openSettings = await findOpen(settingFiles, 0o007);
    if (open.length > 0) {
      const paths = [...open, ...openSettings].join(' ');
      return wrong(`Other users of this machine can open files. Run: chmod go-rwx ${paths}`);
    }
    return openSettings.length === 0
      ? 'only their owner can open the data folder, the key and the outbox'
      : note(
          `Other users of this machine can read files with settings. Unless this is a container, run: chmod o-rwx ${openSettings.join(' ')}`,
        );
  });
}

/** Those of these files that exist and give others one of these permissions. */
async function findOpen(paths: readonly string[], permissions: number): Promise<string[]> {
  const open: string[] = [];
  for (const path of paths) {
    const mode = await stat(path).then(
      (found) => found.mode,
      (error: unknown) => {
        if (errorCode(error) === 'ENOENT') return 0;
        throw error;
      },
    );
    if ((mode & permissions) !== 0) open.push(path);
  }
  return open;
}
