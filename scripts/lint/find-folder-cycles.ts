import { posix } from 'node:path';
import type { IModule } from 'dependency-cruiser';

type Import = { from: string; to: string };

/**
 * Finds folders that import one another in a cycle, and returns one import of each cycle. Even if
 * no single files form a cycle, neither folder could be understood without the other. In
 * components/ it checks all folders, in service/ the folders directly below it.
 */
export function findFolderCycles(modules: readonly IModule[]): Import[] {
  const importsByFolder = new Map<string, Import[]>();
  for (const { source, dependencies } of modules) {
    const folder = folderOf(source);
    if (folder === null) continue;
    const imports = dependencies
      .map(({ resolved }) => ({ from: source, to: resolved }))
      .filter(({ to }) => folderOf(to) !== null && folderOf(to) !== folder);
    importsByFolder.set(folder, [...(importsByFolder.get(folder) ?? []), ...imports]);
  }
  return [...importsByFolder].flatMap(([folder, imports]) => {
    const returning = imports.find(({ to }) => reaches(importsByFolder, folderOf(to), folder));
    return returning === undefined ? [] : [returning];
  });
}

/** The class of all refusals. Folders below the domain, such as auth/, throw it too. */
const anywhere = 'service/domain/errors.ts';

/** The folder of a source file; null for tests, and for files outside these folders. */
function folderOf(path: string): string | null {
  if (/\.(test|soak)\.tsx?$/.test(path) || path === anywhere) return null;
  if (path.startsWith('components/')) return posix.dirname(path);
  return /^service\/[^/]+(?=\/)/.exec(path)?.[0] ?? null;
}

function reaches(importsByFolder: Map<string, Import[]>, from: string | null, to: string): boolean {
  const visited = new Set<string | null>();
  const waiting = [from];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (folder === to) return true;
    if (folder === null || visited.has(folder)) continue;
    visited.add(folder);
    waiting.push(...(importsByFolder.get(folder) ?? []).map((one) => folderOf(one.to)));
  }
  return false;
}
