import { chmod, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../log/log.ts';

const othersMask = 0o077;

/**
 * Makes the data folder, and all files of the embedded database in it, accessible only to their
 * owner. If the file system does not allow that, as on a volume with another owner, the service
 * logs a warning and starts anyway.
 */
export async function protectData(dataDir: string, log: Logger): Promise<void> {
  try {
    await protect(dataDir);
    for (const entry of await readdir(dataDir, { recursive: true })) {
      if (entry.startsWith('pglite')) await protect(join(dataDir, entry));
    }
  } catch (error) {
    log.warn(
      { err: error, data_dir: dataDir },
      'could not restrict the data folder to its owner; other users of this machine may read it',
    );
  }
}

async function protect(path: string): Promise<void> {
  const { mode } = await stat(path);
  if ((mode & othersMask) !== 0) await chmod(path, mode & 0o700);
}
