import { posix } from 'node:path';
import type { IModule } from 'dependency-cruiser';

type Import = { from: string; to: string };

/**
 * Finds folders below `components/` that import one another in a circle, and gives one import of each
 * circle. Between single files there may be no circle, yet nobody could read one folder without the
 * other.
 */
export function findRoomCircles(modules: readonly IModule[]): Import[] {
  const importsByRoom = new Map<string, Import[]>();
  for (const { source, dependencies } of modules) {
    if (!isInComponents(source)) continue;
    const room = posix.dirname(source);
    const imports = dependencies
      .map(({ resolved }) => ({ from: source, to: resolved }))
      .filter(({ to }) => isInComponents(to) && posix.dirname(to) !== room);
    importsByRoom.set(room, [...(importsByRoom.get(room) ?? []), ...imports]);
  }
  return [...importsByRoom].flatMap(([room, imports]) => {
    const returning = imports.find(({ to }) => reaches(importsByRoom, posix.dirname(to), room));
    return returning === undefined ? [] : [returning];
  });
}

function isInComponents(path: string): boolean {
  return /^components\/.*(?<!\.test)\.tsx?$/.test(path);
}

function reaches(importsByRoom: Map<string, Import[]>, from: string, to: string): boolean {
  const visited = new Set<string>();
  const waiting = [from];
  for (let room = waiting.pop(); room !== undefined; room = waiting.pop()) {
    if (room === to) return true;
    if (visited.has(room)) continue;
    visited.add(room);
    waiting.push(...(importsByRoom.get(room) ?? []).map((one) => posix.dirname(one.to)));
  }
  return false;
}
