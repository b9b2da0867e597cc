import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import type { PGliteOptions } from '@electric-sql/pglite';
import { migratePglite } from '../../db/migrate.ts';
import { cachedDatabasePath } from './cached-database-path.ts';

/**
 * PGlite in memory, from an image of a migrated one: making a cluster takes seconds, this does not.
 * What all of them share is read and compiled once in a process.
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
    readOrMakeImage(`${await cachedDatabasePath()}.tar`),
    WebAssembly.compile(await distributed('pglite.wasm')),
    WebAssembly.compile(await distributed('initdb.wasm')),
    distributed('pglite.data'),
  ]);
  const fsBundle = new Blob([fileSystem]);
  return { loadDataDir, pgliteWasmModule, initdbWasmModule, fsBundle };
}

async function readOrMakeImage(path: string): Promise<Blob> {
  // Read whole: a file-backed blob breaks when another worker renames its own image over it.
  return existsSync(path) ? new Blob([await readFile(path)]) : await makeImage(path);
}

async function makeImage(path: string): Promise<Blob> {
  const pglite = await PGlite.create();
  await migratePglite(pglite);
  const image = await pglite.dumpDataDir('none');
  await pglite.close();
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, image.stream());
  await rename(unfinished, path);
  return image;
}
