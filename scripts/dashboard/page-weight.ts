import { gzipSync } from 'node:zlib';

/** One page in `.next/diagnostics/route-bundle-stats.json`, as Next writes it. */
export type BuiltPage = { route: string; firstLoadChunkPaths: string[] };

type PageWeight = { route: string; bytes: number };

/** What each route weighed when somebody recorded it last. */
export type RecordedWeights = Readonly<Record<string, number>>;

/** The most a page may load before it works, gzipped. */
export const heaviestBytes = 250_000;

/** A page may become heavier than recorded by so much before somebody has to record it anew. */
const tolerance = 1.05;

/** A page that holds nothing but the frame around every other. */
const shellRoute = '/a/[account]/settings';

/**
 * The gzipped first-load JavaScript of the frame and the settings pages, heaviest first.
 * @throws Error if the statistics lack what is weighed, so that a renamed page can't pass unseen
 */
export function weighPages(
  built: readonly BuiltPage[],
  read: (path: string) => Uint8Array,
): PageWeight[] {
  const weighed = built
    .filter(({ route }) => route === shellRoute || route.startsWith(`${shellRoute}/`))
    .map(({ route, firstLoadChunkPaths }) => ({
      route,
      bytes: firstLoadChunkPaths.reduce((sum, path) => sum + gzipSync(read(path)).length, 0),
    }))
    .toSorted((a, b) => b.bytes - a.bytes);
  const hasShell = weighed.some(({ route }) => route === shellRoute);
  if (!hasShell || weighed.length === 1) throw new Error('The statistics name no settings page.');
  return weighed;
}

/** What is wrong with each weight; nothing if the text is empty. */
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
