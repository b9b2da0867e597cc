import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The ids of the actions by name, read from the public scripts of the pages. */
export async function actionIds(): Promise<Record<string, string>> {
  const folder = fileURLToPath(new URL('../../.next/static', import.meta.url));
  const files = await readdir(folder, { recursive: true });
  const scripts = await Promise.all(
    files
      .filter((file) => file.endsWith('.js'))
      .map(async (file) => await readFile(join(folder, file), 'utf8')),
  );
  const named = scripts.flatMap((script) => [
    ...script.matchAll(/createServerReference\)\("([0-9a-f]+)",[^"]*"(\w+)"/g),
  ]);
  return Object.fromEntries(named.map(([, id = '', name = '']) => [name, id]));
}
