import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Where a migrated embedded database is kept between runs, without an extension. The name is a hash
 * of everything that goes into such a database, so a file with that name is never out of date.
 */
export async function cachedDatabasePath(): Promise<string> {
  const hash = createHash('sha256');
  hash.update(await readFile(join(root, 'node_modules/@electric-sql/pglite/package.json')));
  const migrations = join(root, 'service/db/migrations');
  const names = (await readdir(migrations)).filter((file) => file.endsWith('.sql'));
  for (const name of names.toSorted()) {
    hash.update(name).update(await readFile(join(migrations, name)));
  }
  const folder = join(root, 'node_modules/.cache/test-databases');
  await mkdir(folder, { recursive: true });
  return join(folder, hash.digest('hex').slice(0, 16));
}
