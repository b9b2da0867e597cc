import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { HttpClient } from './http-client.ts';
import { createOwnClient } from './own-client.ts';
import { createWrk } from './wrk.ts';

/** Chooses `wrk` if it is installed. Ratios of different clients are never compared. */
export async function chooseClient(options: { isOwn: boolean }): Promise<HttpClient> {
  const version = options.isOwn ? null : await wrkVersion();
  return version === null ? createOwnClient() : createWrk(version);
}

async function wrkVersion(): Promise<string | null> {
  try {
    await promisify(execFile)('wrk', ['--version']);
  } catch (error) {
    // `wrk` prints its version and then exits with an error.
    const { stdout = '' } = error as { stdout?: string };
    return /^wrk\s+(?:\S*?)(\d+\.\d+\.\d+)/.exec(stdout)?.[1] ?? null;
  }
  return null;
}
