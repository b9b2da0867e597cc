/** A figure, and the mean of the yardstick just before and after it; null without a yardstick. */
export type Sample = { value: number; yardstick: number | null };

export function ratioOf({ value, yardstick }: Sample): number | null {
  return yardstick === null ? null : value / yardstick;
}

/** @throws if there are no values */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const [upper, lower] = [sorted[sorted.length >> 1], sorted[(sorted.length - 1) >> 1]];
  if (upper === undefined || lower === undefined) throw new Error('no samples');
  return (upper + lower) / 2;
}

/** Half the distance between the lowest and the highest value, relative to their median. */
export function spreadOf(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / 2 / median(values);
}

/** One measurement, and the yardstick just before and just after it. */
export type Taken<Figures> = { measured: Figures; before: Figures; after: Figures };

/**
 * Measures a number of times, with the yardstick before the first and after each measurement, so
 * that other work of the machine slows both down.
 */
export async function alternate<Figures>(
  times: number,
  { yardstick, measure }: { yardstick: () => Promise<Figures>; measure: () => Promise<Figures> },
): Promise<Taken<Figures>[]> {
  const taken: Taken<Figures>[] = [];
  let before = await yardstick();
  while (taken.length < times) {
    const measured = await measure();
    const after = await yardstick();
    taken.push({ measured, before, after });
    before = after;
  }
  return taken;
}

/**
 * The samples of one of the figures. Its yardstick is the mean of the measurements before and after
 * it.
 */
export function samplesOf<Figures>(
  taken: readonly Taken<Figures>[],
  figure: (of: Figures) => number,
): Sample[] {
  return taken.map(({ measured, before, after }) => ({
    value: figure(measured),
    yardstick: (figure(before) + figure(after)) / 2,
  }));
}
