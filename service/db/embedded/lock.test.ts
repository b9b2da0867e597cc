import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { StartError } from '../../start-error.ts';
import { TestLog } from '../../testing/logger.ts';
import { lockDataDir } from './lock.ts';
import { ownIdentity } from './process-identity.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

let dataDir: string;
let log: TestLog;
const pace = { heartbeatMs: 20, watchMs: 100 };
const lock = () => lockDataDir(dataDir, log.logger, pace);
const lockFile = () => join(dataDir, 'lock');

beforeEach(() => {
  dataDir = temporaryFolder();
  log = new TestLog();
});

/** Locks the folder, expects the lock to name this process, and releases it. */
async function lockAndRelease(): Promise<void> {
  const held = await lock();
  expect(JSON.parse(readFileSync(lockFile(), 'utf8'))).toMatchObject({ pid: process.pid });
  await held.release();
}

async function endedProcess(): Promise<number | undefined> {
  const gone = spawn(process.execPath, ['-e', '']);
  await once(gone, 'exit');
  return gone.pid;
}

async function leaveLock(holder: object): Promise<void> {
  const own = await ownIdentity();
  writeFileSync(lockFile(), JSON.stringify({ ...own, since: '2026-11-20T10:00:00Z', ...holder }));
}

describe('a data folder', () => {
  test('that is locked refuses a second process and names the first', async () => {
    const first = await lock();
    await expect(lock()).rejects.toThrow(StartError);
    await expect(lock()).rejects.toThrow(`process ${process.pid}`);
    await first.release();
  });

  test('is free again after its release', async () => {
    await lockAndRelease();
    expect(existsSync(lockFile())).toBe(false);
    await lockAndRelease();
  });

  test.each<[what: string, leave: () => Promise<void> | void]>([
    ['locked by a dead process', async () => leaveLock({ pid: await endedProcess() })],
    ['locked by a process whose PID was reused', () => leaveLock({ startedAt: '1' })],
    ['with an empty lock file', () => writeFileSync(lockFile(), '')],
    ['with an unreadable lock file', () => writeFileSync(lockFile(), '{"pid":')],
    [
      'locked in another container whose heartbeat has stopped',
      () => leaveLock({ place: 'another', pid: 1 }),
    ],
  ])('%s is taken over', async (_what, leave) => {
    await leave();
    await lockAndRelease();
  });

  test.runIf(process.platform === 'linux')(
    'locked by a process that has ended, even if its parent has not collected it, is taken over',
    async () => {
      // The child ends after its parent has become another program, which does not wait for it.
      const parent = spawn('sh', ['-c', 'exec 3<&0; (read line <&3) & echo $!; exec sleep 60']);
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(String(line));
      const parentProgram = () => readFileSync(`/proc/${parent.pid}/comm`, 'utf8').trim();
      await expect.poll(parentProgram, { timeout: 10_000 }).toBe('sleep');
      parent.stdin.write('\n');
      const stat = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      await expect.poll(() => stat()[0], { timeout: 10_000 }).toBe('Z');
      await leaveLock({ pid, startedAt: stat()[19] });
      await lockAndRelease();
      parent.kill();
      await once(parent, 'exit');
    },
  );

  test('can be taken over when the process that was taking it over died', async () => {
    await leaveLock({ pid: await endedProcess() });
    copyFileSync(lockFile(), `${lockFile()}.taking-over`);
    await lockAndRelease();
    writeFileSync(lockFile(), '');
    writeFileSync(`${lockFile()}.taking-over`, '');
    await lockAndRelease();
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test('is refused while another process is taking it over', async () => {
    await leaveLock({ startedAt: '1' });
    const own = await ownIdentity();
    const turn = JSON.stringify({ ...own, since: '2026-11-20T10:00:00Z' });
    writeFileSync(`${lockFile()}.taking-over`, turn);
    await expect(lock()).rejects.toThrow('another process that is starting');
    expect(readFileSync(`${lockFile()}.taking-over`, 'utf8')).toBe(turn);
  });

  test('locked in another container is refused while its heartbeat continues', async () => {
    await leaveLock({ place: 'another', pid: 1 });
    const heartbeat = setInterval(() => utimesSync(lockFile(), new Date(), new Date()), 20);
    await expect(lock()).rejects.toThrow('process 1 on another');
    clearInterval(heartbeat);
  });

  test('that is locked has a heartbeat', async () => {
    const held = await lock();
    utimesSync(lockFile(), 0, 0);
    await expect.poll(() => statSync(lockFile()).mtimeMs).toBeGreaterThan(0);
    await held.release();
  });

  test('with a stale lock is taken over by exactly one of many processes', async () => {
    await leaveLock({ startedAt: '1' });
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, lock));
    const held = outcomes.filter((outcome) => outcome.status === 'fulfilled');
    expect(held).toHaveLength(1);
    await held[0]?.value.release();
  });

  test('is not released by a former holder', async () => {
    const former = await lock();
    await leaveLock({ pid: 1 });
    await former.release();
    expect(existsSync(lockFile())).toBe(true);
  });

  test('whose lock was taken over is lost to its former holder, who leaves the new lock alone', async () => {
    const former = await lock();
    await leaveLock({ place: 'another', pid: 1 });
    utimesSync(lockFile(), 0, 0);
    await once(former.lost, 'abort');
    await former.release();
    expect(statSync(lockFile()).mtimeMs).toBe(0);
  });

  test('whose lock file is removed is lost to its holder', async () => {
    const held = await lock();
    rmSync(lockFile());
    await once(held.lost, 'abort');
    expect(existsSync(lockFile())).toBe(false);
  });

  test('is lost before the next write to a holder that was silent for too long', async () => {
    const silent = { heartbeatMs: 600_000, watchMs: 600_000 };
    const recent = await lockDataDir(dataDir, log.logger, silent);
    await leaveLock({ place: 'another', pid: 1 });
    recent.checkAfterSilence();
    expect(recent.lost.aborted).toBe(false);

    rmSync(lockFile());
    const overdue = await lockDataDir(dataDir, log.logger, { ...silent, watchMs: -1 });
    overdue.checkAfterSilence();
    expect(overdue.lost.aborted).toBe(false);
    await leaveLock({ place: 'another', pid: 1 });
    overdue.checkAfterSilence();
    expect(overdue.lost.aborted).toBe(true);
    await Promise.all([recent.release(), overdue.release()]);
  });
});
