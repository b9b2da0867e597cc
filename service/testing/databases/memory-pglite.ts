import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { PGliteOptions } from '@electric-sql/pglite';
import { cachedDatabasePath } from './cached-database-path.ts';
import { addMigratedDatabase } from './migrated-data-folder.ts';

/**
 * PGlite in memory, from an image of a migrated database: creating a cluster takes seconds, this
 * does not. What all instances share is read and compiled once in a process.
 */
export async function createMemoryPglite(): Promise<PGlite> {
  shared ??= prepareShared();
  return await PGlite.create(await shared);
}

let shared: Promise<SharedParts> | undefined;

type SharedParts = Required<
  Pick<PGliteOptions, 'loadDataDir' | 'pgliteWasmModule' | 'initdbWasmModule' | 'fsBundle'>
>;

async function prepareShared(): Promise<SharedParts> {
  const distributed = (name: string) =>
    readFile(new URL(name, import.meta.resolve('@electric-sql/pglite')));
  const [loadDataDir, pgliteWasmModule, initdbWasmModule, fileSystem] = await Promise.all([
    keepImage(),
    WebAssembly.compile(await distributed('pglite.wasm')),
    WebAssembly.compile(await distributed('initdb.wasm')),
    distributed('pglite.data'),
  ]);
  const fsBundle = new Blob([fileSystem]);
  return { loadDataDir, pgliteWasmModule, initdbWasmModule, fsBundle };
}

/** The image of a migrated, empty database, which is created if it does not exist. */
export async function keepImage(): Promise<Blob> {
  const path = `${await cachedDatabasePath()}.tar`;
  // Read completely, because a file-backed blob breaks when another worker renames its own image
  // over it.
  return existsSync(path) ? new Blob([await readFile(path)]) : await makeImage(path);
}

/**
 * From a folder, because opening a database takes a fraction of the time that creating one takes.
 */
async function makeImage(path: string): Promise<Blob> {
  const folder = await mkdtemp(join(tmpdir(), 'database-image-'));
  await addMigratedDatabase(folder);
  const pglite = await PGlite.create(join(folder, 'pglite'));
  const image = await pglite.dumpDataDir('none');
  await pglite.close();
  await rm(folder, { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, image.stream());
  await rename(unfinished, path);
  return image;
}
