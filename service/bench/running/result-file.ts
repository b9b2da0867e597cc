import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { results } from './results.ts';
import type { Results } from './results.ts';

const folder = fileURLToPath(new URL('../results', import.meta.url));

/**
 * Keeps what a run measured, and says in which file.
 * @param benches those it was asked for; none for all
 */
export async function writeResults(
  measured: Results,
  benches: readonly string[],
  into: string = folder,
): Promise<string> {
  const day = measured.date.slice(0, 10);
  const path = join(into, `${[day, measured.commit, ...benches].join('-')}.json`);
  await mkdir(into, { recursive: true });
  await writeFile(path, `${JSON.stringify(measured, null, 2)}\n`);
  return path;
}

/** @throws if the file is not one that a run has written */
export async function readResults(path: string): Promise<Results> {
  return results.parse(JSON.parse(await readFile(path, 'utf8')));
}
