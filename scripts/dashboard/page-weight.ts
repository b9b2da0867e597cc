import { gzipSync } from 'node:zlib';

/** One page in `.next/diagnostics/route-bundle-stats.json`, as Next writes it. */
export type BuiltPage = { route: string; firstLoadChunkPaths: string[] };

type PageWeight = { route: string; bytes: number };

/** The most a settings page may load before it works, gzipped. */
export const heaviestBytes = 270_000;

/** A page that holds nothing but the frame around every other. */
const shellRoute = '/a/[account]/settings';

/**
 * The gzipped first-load JavaScript of the settings pages, heaviest first, beside the frame's.
 * @throws Error if the statistics lack what is weighed, so that a renamed page can't pass unseen
 */
export function weighPages(
  built: readonly BuiltPage[],
  read: (path: string) => Uint8Array,
): { shellBytes: number; pages: PageWeight[] } {
  const weighed = built.map(({ route, firstLoadChunkPaths }) => ({
    route,
    bytes: firstLoadChunkPaths.reduce((sum, path) => sum + gzipSync(read(path)).length, 0),
  }));
  const shell = weighed.find(({ route }) => route === shellRoute);
  const pages = weighed
    .filter(({ route }) => route.startsWith(`${shellRoute}/`))
    .toSorted((a, b) => b.bytes - a.bytes);
  if (!shell || pages.length === 0) throw new Error('The statistics name no settings page.');
  return { shellBytes: shell.bytes, pages };
}
