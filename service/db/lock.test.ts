import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StartError } from '../start-error.ts';
import { TestLog } from '../testing/logger.ts';
import { lockDataDir } from './lock.ts';
import { ownIdentity } from './process-identity.ts';

let dataDir: string;
let log: TestLog;
const pace = { heartbeatMs: 20, watchMs: 100 };
const lock = () => lockDataDir(dataDir, log.logger, pace);
const lockFile = () => join(dataDir, 'lock');

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'lock-'));
  log = new TestLog();
});
afterEach(() => rmSync(dataDir, { recursive: true }));

async function leaveLock(holder: object): Promise<void> {
  const own = await ownIdentity();
  writeFileSync(lockFile(), JSON.stringify({ ...own, since: '2026-11-20T10:00:00Z', ...holder }));
}

describe('a data folder', () => {
  test('that is locked refuses a second holder and names the first', async () => {
    const first = await lock();
    await expect(lock()).rejects.toThrow(StartError);
    await expect(lock()).rejects.toThrow(`process ${process.pid}`);
    await first.release();
  });

  test('is free again after its release', async () => {
    await (await lock()).release();
    expect(existsSync(lockFile())).toBe(false);
    await (await lock()).release();
  });

  test('locked by a process that is gone is taken over', async () => {
    const gone = spawn(process.execPath, ['-e', '']);
    await once(gone, 'exit');
    await leaveLock({ pid: gone.pid });
    const held = await lock();
    expect(JSON.parse(readFileSync(lockFile(), 'utf8'))).toMatchObject({ pid: process.pid });
    await held.release();
  });

  test('locked by a process whose number another has now is taken over', async () => {
    await leaveLock({ startedAt: '1' });
    await (await lock()).release();
  });

  test('with a lock that says nothing is taken over', async () => {
    writeFileSync(lockFile(), '');
    await (await lock()).release();
    writeFileSync(lockFile(), '{"pid":');
    await (await lock()).release();
  });

  test('locked in another container is refused while its heartbeat goes on', async () => {
    await leaveLock({ place: 'another', pid: 1 });
    const heartbeat = setInterval(() => utimesSync(lockFile(), new Date(), new Date()), 20);
    await expect(lock()).rejects.toThrow('process 1 on another');
    clearInterval(heartbeat);
  });

  test('locked in another container is taken over when its heartbeat has stopped', async () => {
    await leaveLock({ place: 'another', pid: 1 });
    await (await lock()).release();
  });

  test('that is held shows a heartbeat', async () => {
    const held = await lock();
    utimesSync(lockFile(), 0, 0);
    await expect.poll(() => statSync(lockFile()).mtimeMs).toBeGreaterThan(0);
    await held.release();
  });

  test('with a stale lock goes to one of many that want it', async () => {
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
});
