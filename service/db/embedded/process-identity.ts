import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import { errorCode } from '../../error-code.ts';

/** Identifies a process, even after its PID is reused. */
export type ProcessIdentity = {
  pid: number;
  /** The start time in the format of the operating system; null if unknown. */
  startedAt: string | null;
  /** The PID namespace: a machine boot or a container. */
  place: string;
};

export async function ownIdentity(): Promise<ProcessIdentity> {
  const { pid } = process;
  return { pid, startedAt: (await readProcess(pid))?.startedAt ?? null, place: await ownPlace() };
}

/**
 * Whether a process in the same place is still running. A zombie (it has ended, but its parent has
 * not collected its exit code) still has a PID and a start time, but does not count as running.
 */
export async function isRunning({ pid, startedAt }: ProcessIdentity): Promise<boolean> {
  if (!exists(pid)) return false;
  const found = await readProcess(pid);
  if (found === null) return true;
  if (found.hasEnded) return false;
  return startedAt === null || found.startedAt === null || found.startedAt === startedAt;
}

async function ownPlace(): Promise<string> {
  if (process.platform !== 'linux') return hostname();
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  const pidNamespace = await readlink('/proc/self/ns/pid').catch(() => '');
  return `${hostname()} ${boot.trim()} ${pidNamespace}`;
}

/** The state of a process as the system reports it; null if the system does not know it. */
async function readProcess(
  pid: number,
): Promise<{ startedAt: string | null; hasEnded: boolean } | null> {
  if (process.platform === 'linux') {
    const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
    if (line === null) return null;
    // Fields 3 and 22. They come after the command's name, which may itself contain spaces and
    // brackets.
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return { startedAt: fields[19] ?? null, hasEnded: isEnded(fields[0]) };
  }
  // macOS has no /proc.
  const columns = ['-o', 'stat=', '-o', 'lstart='];
  const { stdout } = await promisify(execFile)('ps', [...columns, '-p', String(pid)]).catch(() => ({
    stdout: '',
  }));
  const [state = ''] = stdout.trim().split(' ', 1);
  return {
    startedAt: stdout.trim().slice(state.length).trim() || null,
    hasEnded: isEnded(state),
  };
}

/** Z is a zombie, X and x are dead. */
function isEnded(state: string | undefined): boolean {
  return /^[ZXx]/.test(state ?? '');
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // This user may not signal a process of another user, but the error shows that it exists.
    return errorCode(error) === 'EPERM';
  }
}
