import { stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Lets root act as the user to whom the embedded database belongs. What root creates there could
 * not be read by the service, which then would not start.
 */
export async function actAsOwner(dataDir: string): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  const found = await stat(join(dataDir, 'pglite', 'PG_VERSION')).catch(() => null);
  if (found === null || found.uid === 0) return;
  process.setgroups?.([]);
  process.setegid?.(found.gid);
  process.seteuid?.(found.uid);
}
