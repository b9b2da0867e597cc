import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, rmdirSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorCode } from '../../error-code.ts';

/** A small disk that a test can fill completely. */
export type SmallDisk = {
  folder: string;
  fill(): void;
  free(): void;
  remove(): void;
};

/** The requirement of this machine, as the note of a skipped test. */
export const needsMount = 'only root on Linux can mount a small disk';

/** Mounts a disk in memory; null if this process may not. */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null;
  const folder = mkdtempSync(join(tmpdir(), 'small-disk-'));
  try {
    // The root user of a container may lack this right.
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], {
      stdio: 'ignore',
    });
  } catch {
    rmdirSync(folder);
    return null;
  }
  const filler = join(folder, 'filler');
  return {
    folder,
    fill() {
      const file = openSync(filler, 'a');
      const page = Buffer.alloc(4096);
      try {
        for (;;) writeSync(file, page);
      } catch (error) {
        if (errorCode(error) !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler, { force: true }),
    remove() {
      execFileSync('umount', ['--lazy', folder]);
      rmdirSync(folder);
    },
  };
}
