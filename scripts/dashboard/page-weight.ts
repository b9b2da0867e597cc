import { gzipSync } from 'node:zlib';

/** One page in `.next/diagnostics/route-bundle-stats.json`, as Next writes it. */
export type BuiltPage = { route: string; firstLoadChunkPaths: string[] };

type PageWeight = { route: string; bytes: number };

/** The weight of each route when it was last recorded. */
export type RecordedWeights = Readonly<Record<string, number>>;

/** The most bytes, gzipped, that a page may load before it works. */
export const heaviestBytes = 253_000;

/** How much heavier than its recorded weight a page may become before it must be recorded again. */
const tolerance = 1.05;

/** A page that contains only the frame of all other pages. */
const shellRoute = '/a/[account]/settings';

/** Every page of the documentation. */
const docsRoute = '/docs/[[...path]]';

/**
 * The gzipped first-load JavaScript of the frame, the settings pages and the documentation,
 * heaviest first.
 * @throws Error if the statistics lack these pages, so that a renamed page cannot go unnoticed
 */
export function weighPages(
  built: readonly BuiltPage[],
  read: (path: string) => Uint8Array,
): PageWeight[] {
  const weighed = built
    .filter(({ route }) => `${route}/`.startsWith(`${shellRoute}/`) || route === docsRoute)
    .map(({ route, firstLoadChunkPaths }) => ({
      route,
      bytes: firstLoadChunkPaths.reduce((sum, path) => sum + gzipSync(read(path)).length, 0),
    }))
    .toSorted((a, b) => b.bytes - a.bytes);
  const hasShell = weighed.some(({ route }) => route === shellRoute);
  if (!hasShell || weighed.length === 1) throw new Error('The statistics name no settings page.');
  return weighed;
}

/** Adds to each weight what is wrong with it; an empty text if nothing is. */
export function judgeWeights(
  weights: readonly PageWeight[],
  recorded: RecordedWeights,
): (PageWeight & { fault: string })[] {
  return weights.map(({ route, bytes }) => {
    const before = recorded[route];
    const isWorse = before !== undefined && bytes > before * tolerance;
    return {
      route,
      bytes,
      fault:
        bytes > heaviestBytes
          ? 'TOO HEAVY'
          : before === undefined
            ? 'NOT RECORDED: npm run weigh -- --record'
            : isWorse
              ? `HEAVIER THAN RECORDED (${before} bytes)`
              : '',
    };
  });
}
