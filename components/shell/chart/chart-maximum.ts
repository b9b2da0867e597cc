/** The top of a chart: a round, even number that leaves a sixth of the height for its label. */
export function chartMaximum(highest: number): number {
  const needed = highest * 1.2;
  for (let power = 1; ; power *= 10) {
    const maximum = steps
      .map((step) => step * power)
      .find((round) => round >= needed && round % 2 === 0);
    if (maximum !== undefined) return maximum;
  }
}

const steps = [1, 1.2, 1.5, 2, 3, 4, 5, 6, 8];
