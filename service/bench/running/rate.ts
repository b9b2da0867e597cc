import { median, ratioOf, samplesOf } from './sample.ts';
import type { Sample, Taken } from './sample.ts';

/** The number of acts a second, and the processor time of each, if known. */
export type Rate = { perSecond: number; processorUs: number | null };

/**
 * The samples and figures of a row of rates. Wall-clock time decides; processor time is an
 * additional figure.
 */
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
    // Inverted, because the rate is higher if each act takes less.
    'ratio by processor': 1 / median(samples.flatMap((sample) => ratioOf(sample) ?? [])),
  };
}
