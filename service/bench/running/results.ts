import { z } from 'zod';

/** A row as it was measured. */
export type MeasuredRow = z.output<typeof measuredRow>;

const measuredRow = z.object({
  bench: z.string(),
  name: z.string(),
  engine: z.enum(['pglite', 'postgresql']),
  unit: z.string(),
  better: z.enum(['higher', 'lower']),
  /** What sent the requests; null where the bench itself does. */
  client: z.string().nullable(),
  /** The machine's load average over the last minute. */
  load: z.object({ before: z.number(), after: z.number() }),
  samples: z.array(
    z.object({
      value: z.number(),
      yardstick: z.number().nullable(),
      ratio: z.number().nullable(),
    }),
  ),
  /** These three are medians, each of its own kind. */
  value: z.number(),
  yardstick: z.number().nullable(),
  ratio: z.number().nullable(),
  /** Of the ratios, or of the values where there is no yardstick: see `spreadOf`. */
  spread: z.number(),
  target: z.object({ of: z.enum(['ratio', 'value']), bound: z.number() }).nullable(),
  isMet: z.boolean().nullable(),
  /** What was measured besides. */
  figures: z.record(z.string(), z.number()),
});

/** What one run of `npm run bench` measured, as it is kept in `service/bench/results`. */
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

/** What a row is judged and compared by. */
export function figureOf({ ratio, value }: Pick<MeasuredRow, 'ratio' | 'value'>): number {
  return ratio ?? value;
}
