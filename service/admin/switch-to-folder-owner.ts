import { stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Switches from root to the owner of the embedded database, who could not read root's files. */
export async function switchToFolderOwner(dataDir: string): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  const found = await stat(join(dataDir, 'pglite', 'PG_VERSION')).catch(() => null);
  if (found === null || found.uid === 0) return;
  process.setgroups?.([]);
  process.setegid?.(found.gid);
  process.seteuid?.(found.uid);
}
