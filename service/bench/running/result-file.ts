import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { results } from './results.ts';
import type { Results } from './results.ts';

const folder = fileURLToPath(new URL('../results', import.meta.url));

/** The folder of the results for docs/bench/, with a file for each bench. */
export const publishedFolder = join(folder, 'published');

/**
 * Stores the results of a run, and returns the name of the file.
 * @param named the benches that were requested; empty for all
 */
export async function writeResults(
  measured: Results,
  named: readonly string[],
  into: string = folder,
): Promise<string> {
  const day = measured.date.slice(0, 10);
  return await write(join(into, `${[day, measured.commit, ...named].join('-')}.json`), measured);
}

/** Publishes the results of a run for docs/bench/, with a file for each bench. */
export async function publishResults(
  measured: Results,
  into: string = publishedFolder,
): Promise<void> {
  const benches = new Set(measured.rows.map(({ bench }) => bench));
  for (const bench of benches) {
    const rows = measured.rows.filter((row) => row.bench === bench);
    await write(join(into, `${bench}.json`), { ...measured, rows });
  }
}

/** @throws if no run wrote the file */
export async function readResults(path: string): Promise<Results> {
  return results.parse(JSON.parse(await readFile(path, 'utf8')));
}

async function write(path: string, measured: Results): Promise<string> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, `${JSON.stringify(measured, null, 2)}\n`);
  return path;
}
