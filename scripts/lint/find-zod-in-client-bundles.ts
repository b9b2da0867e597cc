import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IModule } from 'dependency-cruiser';

/**
 * Finds 'use client' files through which zod gets into the browser, where it makes a page much
 * heavier, and returns one path for each. Imports of zod's types alone do not count, and neither do
 * imports of 'use server' files, which the browser calls and does not load.
 */
export function findZodInClientBundles(
  root: string,
  modules: readonly IModule[],
): { from: string; to: string }[] {
  const bySource = new Map(modules.map((module) => [module.source, module]));

  function pathToZod(source: string, visited: Set<string>): string[] | undefined {
    if (source.startsWith('node_modules/zod/')) return ['zod'];
    if (visited.has(source)) return undefined;
    visited.add(source);
    for (const dependency of bySource.get(source)?.dependencies ?? []) {
      if (dependency.dependencyTypes.includes('type-only')) continue;
      if (directiveOf(root, dependency.resolved) === 'server') continue;
      const path = pathToZod(dependency.resolved, visited);
      if (path) return [dependency.resolved, ...path];
    }
    return undefined;
  }

  return modules
    .filter(({ source }) => directiveOf(root, source) === 'client')
    .flatMap(({ source }) => {
      const path = pathToZod(source, new Set());
      return path ? [{ from: source, to: path.join(' → ') }] : [];
    });
}

/** Whether a file of the dashboard begins with 'use client' or 'use server'. */
function directiveOf(root: string, source: string): string | undefined {
  if (!/^(app|components|lib)\//.test(source)) return undefined;
  return /^['"]use (client|server)['"]/m.exec(readFileSync(join(root, source), 'utf8'))?.[1];
}
