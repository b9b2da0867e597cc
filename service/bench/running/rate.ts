import { median, ratioOf, samplesOf } from './sample.ts';
import type { Sample, Taken } from './sample.ts';

/** How many of something each second, and what each of them took of the processor, where that is known. */
export type Rate = { perSecond: number; processorUs: number | null };

/** What a row of rates is made of: the time on the wall decides, processor time stands beside it. */
export function ratesToRow(taken: readonly Taken<Rate>[]): {
  samples: Sample[];
  figures: Record<string, number>;
} {
  return {
    samples: samplesOf(taken, ({ perSecond }) => perSecond),
    figures: processorFigures(taken),
  };
}

function processorFigures(taken: readonly Taken<Rate>[]): Record<string, number> {
  if (taken.some(({ measured }) => measured.processorUs === null)) return {};
  const samples = samplesOf(taken, ({ processorUs }) => processorUs ?? 0);
  return {
    'µs of processor': median(samples.map(({ value }) => value)),
    // A rate is the higher the less each takes.
    'ratio by processor': 1 / median(samples.flatMap((sample) => ratioOf(sample) ?? [])),
  };
}
