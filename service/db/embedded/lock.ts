import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { errorCode } from '../../error-code.ts';
import type { Logger } from '../../log/log.ts';
import { StartError } from '../../start-error.ts';
import { HeldLock } from './held-lock.ts';
import type { LockPace } from './held-lock.ts';
import { isRunning, ownIdentity } from './process-identity.ts';
import type { ProcessIdentity } from './process-identity.ts';

/** Another process uses the folder. `fact` says which one, without advice. */
export class DataDirInUseError extends StartError {
  override readonly name: string = 'DataDirInUseError';
  readonly fact: string;

  constructor(fact: string) {
    super(
      `${fact}\nStop that process first, or set DATA_DIR to another folder. Two processes on one folder would destroy its data.`,
    );
    this.fact = fact;
  }
}

const defaultPace: LockPace = { heartbeatMs: 3000, watchMs: 10_000 };

/**
 * Locks the folder for this process, because two processes on one embedded database destroy data.
 *
 * A lock whose process has ended is taken over. Within one machine or container, the process number
 * and start time show whether it has ended. A process elsewhere, such as in another container on
 * the same volume, is watched for its heartbeat instead.
 * @throws DataDirInUseError that names the process with the lock
 */
export async function lockDataDir(
  dataDir: string,
  log: Logger,
  pace: LockPace = defaultPace,
): Promise<HeldLock> {
  const path = join(dataDir, 'lock');
  const own = await ownIdentity();
  const text = JSON.stringify({ ...own, since: new Date().toISOString() });

  if (!(await createFile(path, text))) {
    const found = await readLock(path);
    if (found.holder && (await isHeld(path, found.holder, { own, log, pace }))) {
      throw inUse(dataDir, found.holder);
    }
    if (!(await takeOver(path, { own, deadText: found.text, text }))) throw inUse(dataDir, null);
    log.warn({ holder: found.holder }, 'took over a lock whose process is gone');
  }

  return new HeldLock({ path, text }, pace, log);
}

const lockSchema = z.object({
  pid: z.int(),
  startedAt: z.string().nullable(),
  place: z.string(),
  since: z.string(),
});

type Holder = z.infer<typeof lockSchema>;

/** Reads the lock. An empty file may be one that another process is just writing. */
async function readLock(path: string): Promise<{ text: string; holder: Holder | null }> {
  let text = await readFile(path, 'utf8').catch(() => '');
  if (text === '') {
    await pause(200);
    text = await readFile(path, 'utf8').catch(() => '');
  }
  try {
    return { text, holder: lockSchema.parse(JSON.parse(text)) };
  } catch {
    return { text, holder: null };
  }
}

async function isHeld(
  path: string,
  holder: Holder,
  { own, log, pace }: { own: ProcessIdentity; log: Logger; pace: LockPace },
): Promise<boolean> {
  if (holder.place === own.place) return await isRunning(holder);
  log.warn(
    { holder },
    'the data folder was locked by another process: waiting to see whether that process still runs',
  );
  const before = await lastHeartbeat(path);
  await pause(pace.watchMs);
  return (await lastHeartbeat(path)) !== before;
}

async function lastHeartbeat(path: string): Promise<number | null> {
  const file = await stat(path).catch(() => null);
  return file?.mtimeMs ?? null;
}

/** Replaces a dead process's lock, one process at a time: a second must not remove the new lock. */
async function takeOver(
  path: string,
  { own, deadText, text }: { own: ProcessIdentity; deadText: string; text: string },
): Promise<boolean> {
  const turn = `${path}.taking-over`;
  await endDeadTurn(turn, own);
  if (!(await createFile(turn, text))) return false;
  try {
    const current = await readFile(path, 'utf8').catch(() => null);
    if (current !== null && current !== deadText) return false;
    if (current !== null) await unlink(path);
    return await createFile(path, text);
  } finally {
    // Another process considered this one dead and removed the lock.
    await unlink(turn).catch(() => undefined);
  }
}

/** Removes the take-over file of a process that died during its take-over. */
async function endDeadTurn(turn: string, own: ProcessIdentity): Promise<void> {
  const taken = await lastHeartbeat(turn);
  if (taken === null) return;
  const { text, holder } = await readLock(turn);
  const isDead =
    holder?.place === own.place
      ? !(await isRunning(holder))
      : // In both directions, because the clock may have been set back.
        Math.abs(Date.now() - taken) > 30_000 || holder === null;
  if (!isDead) return;
  // Renamed first, because another process may have begun its take-over in the meantime.
  const aside = `${turn}.${randomUUID()}`;
  try {
    await rename(turn, aside);
  } catch {
    return;
  }
  if ((await readFile(aside, 'utf8')) !== text) await link(aside, turn).catch(() => undefined);
  await unlink(aside);
}

/** False if the file already exists. A file that cannot be written completely is removed. */
async function createFile(path: string, text: string): Promise<boolean> {
  const file = await open(path, 'wx', 0o600).catch((error: unknown) => {
    if (errorCode(error) === 'EEXIST') return null;
    throw error;
  });
  if (file === null) return false;
  try {
    await file.writeFile(text);
  } catch (error) {
    await unlink(path);
    throw error;
  } finally {
    await file.close();
  }
  return true;
}

function inUse(dataDir: string, holder: Holder | null): DataDirInUseError {
  const who = holder
    ? `process ${holder.pid} on ${holder.place.split(' ')[0]}, since ${holder.since}`
    : 'another process that is starting';
  return new DataDirInUseError(`The data folder ${dataDir} is in use by ${who}.`);
}
