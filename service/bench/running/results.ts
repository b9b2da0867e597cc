import { z } from 'zod';

/** A measured row. */
export type MeasuredRow = z.output<typeof measuredRow>;

const measuredRow = z.object({
  bench: z.string(),
  name: z.string(),
  engine: z.enum(['pglite', 'postgresql']),
  unit: z.string(),
  better: z.enum(['higher', 'lower']),
  /** The client that sent the requests; null if the bench itself did. */
  client: z.string().nullable(),
  /** The load average of the machine over the last minute. */
  load: z.object({ before: z.number(), after: z.number() }),
  samples: z.array(
    z.object({
      value: z.number(),
      yardstick: z.number().nullable(),
      ratio: z.number().nullable(),
    }),
  ),
  /** These three are medians, each of its own values. */
  value: z.number(),
  yardstick: z.number().nullable(),
  ratio: z.number().nullable(),
  /** The spread of the ratios, or of the values if there is no yardstick: see `spreadOf`. */
  spread: z.number(),
  target: z.object({ of: z.enum(['ratio', 'value']), bound: z.number() }).nullable(),
  isMet: z.boolean().nullable(),
  /** Further measured figures. */
  figures: z.record(z.string(), z.number()),
});

/** The results of one run of `npm run bench`, as stored in `service/bench/results`. */
export type Results = z.output<typeof results>;

export const results = z.object({
  date: z.iso.datetime(),
  commit: z.string(),
  /** Whether the code differed from that commit. */
  isChanged: z.boolean(),
  isFull: z.boolean(),
  machine: z.object({
    node: z.string(),
    cores: z.number(),
    processor: z.string(),
    memoryGiB: z.number(),
    system: z.string(),
  }),
  engines: z.object({ pglite: z.string(), postgresql: z.string().nullable() }),
  rows: z.array(measuredRow),
});

/** The figure by which a row is judged and compared. */
export function figureOf({ ratio, value }: Pick<MeasuredRow, 'ratio' | 'value'>): number {
  return ratio ?? value;
}
