import { chmod, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../log.ts';

const othersMask = 0o077;

/**
 * Takes the data folder, and all files of the embedded database in it, away from every other user of
 * the machine. Where that is not possible, as on a volume that belongs to somebody else, the log says
 * so: it is no reason not to start.
 */
export async function protectData(dataDir: string, log: Logger): Promise<void> {
  if (process.platform === 'win32') return;
  try {
    await protect(dataDir);
    for (const entry of await readdir(dataDir, { recursive: true })) {
      if (entry.startsWith('pglite')) await protect(join(dataDir, entry));
    }
  } catch (error) {
    log.warn({ err: error, dataDir }, 'other users of this machine may read the data folder');
  }
}

async function protect(path: string): Promise<void> {
  const { mode } = await stat(path);
  if ((mode & othersMask) !== 0) await chmod(path, mode & 0o700);
}
