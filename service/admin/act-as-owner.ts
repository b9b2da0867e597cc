import { stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * If run by root, switches to the user who owns the embedded database. The service could not read
 * files that root creates there, and would not start.
 */
export async function actAsOwner(dataDir: string): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  const found = await stat(join(dataDir, 'pglite', 'PG_VERSION')).catch(() => null);
  if (found === null || found.uid === 0) return;
  process.setgroups?.([]);
  process.setegid?.(found.gid);
  process.seteuid?.(found.uid);
}
