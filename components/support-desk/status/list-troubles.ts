import type { InstallationStatus } from '#lib/contract/support-desk/installation-status.ts';
import { countOf } from '#lib/count.ts';
import { dayMs } from '#lib/durations.ts';
import { listNames } from '#lib/list-names.ts';
import { formatRemaining, formatShort } from '#lib/time.ts';

export type Trouble = {
  kind: 'process' | 'deliveries' | 'hold' | 'versions' | 'backup' | 'emails';
  /** `bad`: deliveries or calls suffer now. */
  tone: 'bad' | 'warn';
  title: string;
  /** What it means, and what to do. */
  advice: string;
  /** What to run; null if no command helps. */
  command: string | null;
};

/** From how many seconds on deliveries that are due are late, as in deploy/prometheus/alerts.yaml. */
export const lateFromSeconds = 60;

const oldBackupMs = 2 * dayMs;

/**
 * What an operator should look at, what is worst first.
 *
 * @param zone of the reader; undefined for that of the browser
 */
export function listTroubles(status: InstallationStatus, zone: string | undefined): Trouble[] {
  return [
    ...silentProcesses(status),
    ...lateDeliveries(status),
    ...heldDeliveries(status, zone),
    ...versions(status),
    ...oldBackup(status, zone),
    ...stuckEmails(status, zone),
  ];
}

type Process = InstallationStatus['processes'][number];

function silentProcesses({ processes, as_of: asOf }: InstallationStatus): Trouble[] {
  const isSending = processes.some(isLiveWorker);
  return processes
    .filter((process) => process.is_silent)
    .map(({ host, pid, roles, seen_at: seenAt }) => {
      const effect = !roles.includes('worker')
        ? ''
        : isSending
          ? 'Other workers have taken over its webhooks. '
          : 'No other worker runs, so no deliveries are sent. ';
      return trouble('process', 'bad', {
        title: `${host}, process ${pid}, has been silent for ${formatRemaining(new Date(asOf), new Date(seenAt))}`,
        advice: `${effect}It was killed, or cannot reach the database. Look at its log, and start it again if it has ended.`,
      });
    });
}

function isLiveWorker({ roles, is_silent: isSilent }: Process): boolean {
  return roles.includes('worker') && !isSilent;
}

function lateDeliveries({ processes, backlog, restored_backup_at: held }: InstallationStatus) {
  const { oldest_due_seconds: seconds } = backlog;
  if (held !== null) return [];
  if (!processes.some(({ roles }) => roles.includes('worker'))) {
    return [
      trouble('deliveries', 'bad', {
        title: 'No worker runs',
        advice: 'No deliveries are sent. Start a process whose ROLES include worker.',
      }),
    ];
  }
  if (seconds <= lateFromSeconds) return [];
  return [
    trouble('deliveries', 'bad', {
      title: `Deliveries have been due for ${ageOf(seconds)}`,
      advice:
        'No worker has begun them: all workers are busy, or the database is slow. Start another worker, and look at the connections to the database.',
    }),
  ];
}

function heldDeliveries({ restored_backup_at: madeAt }: InstallationStatus, zone?: string) {
  if (madeAt === null) return [];
  return [
    trouble('hold', 'warn', {
      title: 'Deliveries are on hold since a backup was restored',
      advice: `The backup was made on ${formatShort(new Date(madeAt), zone)}. Revoke the keys that must not work any more, and then resume deliveries:`,
      command: 'npm run admin -- resume-deliveries',
    }),
  ];
}

function versions({ processes }: InstallationStatus) {
  const running = processes.filter(({ is_silent: isSilent }) => !isSilent);
  const found = [...new Set(running.map(({ version }) => version))].toSorted();
  if (found.length < 2) return [];
  return [
    trouble('versions', 'warn', {
      title: `Processes run ${found.length} versions`,
      advice: `They run ${listNames(found, { most: 5 })}. That is normal only while you update them one after the other.`,
    }),
  ];
}

function oldBackup({ last_backup_at: madeAt, as_of: asOf }: InstallationStatus, zone?: string) {
  if (madeAt === null) return [];
  const made = new Date(madeAt);
  const now = new Date(asOf);
  if (now.getTime() - made.getTime() < oldBackupMs) return [];
  return [
    trouble('backup', 'warn', {
      title: `The last backup is ${formatRemaining(now, made)} old`,
      advice: `It was made on ${formatShort(made, zone)}. Find out why none was completed since, and make one:`,
      command: 'npm run admin -- backup <file>',
    }),
  ];
}

function stuckEmails({ emails }: InstallationStatus, zone?: string) {
  const { waiting, waiting_since: since, next_attempt_at: next } = emails;
  if (waiting === 0 || since === null || next === null) return [];
  return [
    trouble('emails', 'warn', {
      title: `${countOf(waiting, 'email is', 'emails are')} stuck`,
      advice: `The mail server has not accepted the first since ${formatShort(new Date(since), zone)}. The next attempt is at ${formatShort(new Date(next), zone)}. To find out why, run:`,
      command: 'npm run admin -- doctor',
    }),
  ];
}

function trouble(
  kind: Trouble['kind'],
  tone: Trouble['tone'],
  { command = null, ...words }: { title: string; advice: string; command?: string | null },
): Trouble {
  return { kind, tone, ...words, command };
}

/** `1.4 s`, `6 min` */
export function ageOf(seconds: number): string {
  return formatRemaining(new Date(seconds * 1000), new Date(0));
}
