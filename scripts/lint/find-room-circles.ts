import { posix } from 'node:path';
import type { IModule } from 'dependency-cruiser';

type Import = { from: string; to: string };

/**
 * Finds rooms that import one another in a circle, and returns one import of each circle. Even
 * without a circle of single files, neither room could be read without the other. In components/
 * every folder is a room, in service/ the folders directly below it.
 */
export function findRoomCircles(modules: readonly IModule[]): Import[] {
  const importsByRoom = new Map<string, Import[]>();
  for (const { source, dependencies } of modules) {
    const room = roomOf(source);
    if (room === null) continue;
    const imports = dependencies
      .map(({ resolved }) => ({ from: source, to: resolved }))
      .filter(({ to }) => roomOf(to) !== null && roomOf(to) !== room);
    importsByRoom.set(room, [...(importsByRoom.get(room) ?? []), ...imports]);
  }
  return [...importsByRoom].flatMap(([room, imports]) => {
    const returning = imports.find(({ to }) => reaches(importsByRoom, roomOf(to), room));
    return returning === undefined ? [] : [returning];
  });
}

/** The class of all refusals. The folders below the domain, such as auth/, throw it as well. */
const anywhere = 'service/domain/errors.ts';

/** The room of a source file; null for tests, and for files that belong to none. */
function roomOf(path: string): string | null {
  if (/\.test\.tsx?$/.test(path) || path === anywhere) return null;
  if (path.startsWith('components/')) return posix.dirname(path);
  return /^service\/[^/]+(?=\/)/.exec(path)?.[0] ?? null;
}

function reaches(importsByRoom: Map<string, Import[]>, from: string | null, to: string): boolean {
  const visited = new Set<string | null>();
  const waiting = [from];
  for (let room = waiting.pop(); room !== undefined; room = waiting.pop()) {
    if (room === to) return true;
    if (room === null || visited.has(room)) continue;
    visited.add(room);
    waiting.push(...(importsByRoom.get(room) ?? []).map((one) => roomOf(one.to)));
  }
  return false;
}
