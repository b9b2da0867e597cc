import { stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * When run as root, switches to the user who owns the embedded database. Otherwise the service
 * could not read files that root created there, and would not start.
 */
export async function switchToFolderOwner(dataDir: string): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  const found = await stat(join(dataDir, 'pglite', 'PG_VERSION')).catch(() => null);
  if (found === null || found.uid === 0) return;
  process.setgroups?.([]);
  process.setegid?.(found.gid);
  process.seteuid?.(found.uid);
}
