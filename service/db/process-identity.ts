import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { promisify } from 'node:util';

/** A process, told apart from a later one with the same number. */
export type ProcessIdentity = {
  pid: number;
  /** As the system writes it; null where it cannot be learned. */
  startedAt: string | null;
  /** Within it, process numbers are comparable: the machine since its start, or a container. */
  place: string;
};

export async function ownIdentity(): Promise<ProcessIdentity> {
  const { pid } = process;
  return { pid, startedAt: await processStart(pid), place: await ownPlace() };
}

/** Whether a process of our own place still runs. */
export async function isRunning({ pid, startedAt }: ProcessIdentity): Promise<boolean> {
  if (!exists(pid)) return false;
  const started = await processStart(pid);
  return startedAt === null || started === null || started === startedAt;
}

async function ownPlace(): Promise<string> {
  if (process.platform !== 'linux') return hostname();
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  const pidNamespace = await readlink('/proc/self/ns/pid').catch(() => '');
  return `${hostname()} ${boot.trim()} ${pidNamespace}`;
}

async function processStart(pid: number): Promise<string | null> {
  if (process.platform === 'linux') {
    const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
    // Field 22, counted after the command's name, which may itself hold spaces and brackets.
    return line?.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  }
  if (process.platform === 'win32') return null;
  const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(
    () => ({ stdout: '' }),
  );
  return stdout.trim() || null;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user may not be signalled, but it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
