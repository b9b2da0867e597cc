import { describe, expect, test } from 'vitest';
import type { Row } from '../rows.ts';
import { judge } from './bench-run.ts';
import { compareRows, toleranceOf } from './compare.ts';
import type { MeasuredRow } from './results.ts';

const row = (values: Partial<Row> & { ratios: number[]; client?: string }): MeasuredRow => {
  const { ratios, client, ...others } = values;
  return judge(
    { bench: 'api', name: 'calls', unit: 'per s', better: 'higher', targets: {}, ...others },
    {
      engine: 'pglite',
      samples: ratios.map((value) => ({ value: value * 100, yardstick: 100 })),
      ...(client !== undefined && { client }),
    },
    { before: 0, after: 0 },
  );
};
const steady = (ratio: number, values: Partial<Row> = {}) =>
  row({ ratios: [ratio, ratio, ratio], ...values });

describe('the tolerance', () => {
  test.each([
    ['the least, where samples hardly differ', [1, 1, 1], [1, 1, 1], 0.05],
    ['the spreads of both runs', [0.9, 1, 1.1], [0.8, 1, 1.2], 0.3],
    ['a quarter, where a run has one sample', [1], [1, 1, 1], 0.25],
  ])('is %s', (_, before, now, expected) => {
    expect(toleranceOf(row({ ratios: before }), row({ ratios: now }))).toBeCloseTo(expected);
  });
});

describe('a row', () => {
  test.each([
    ['per s that fell', steady(0.5), steady(0.4), true],
    ['per s that rose', steady(0.5), steady(0.6), false],
    ['per s that fell within the tolerance', steady(0.5), steady(0.49), false],
    ['ms that rose', steady(1, { better: 'lower' }), steady(1.2, { better: 'lower' }), true],
    ['ms that fell', steady(1, { better: 'lower' }), steady(0.5, { better: 'lower' }), false],
    ['of samples that differ', row({ ratios: [0.4, 0.5, 0.6] }), steady(0.45), false],
  ])('of %s', (_, before, now, isWorse) => {
    const { worse, lines } = compareRows({ rows: [before] }, [now]);
    expect(worse).toEqual(isWorse ? [now] : []);
    expect(lines).toHaveLength(1);
    expect(lines[0]?.endsWith('WORSE')).toBe(isWorse);
  });

  test('shows its ratio before and now, the change and the tolerance', () => {
    const { lines } = compareRows({ rows: [steady(0.5)] }, [steady(0.4)]);
    expect(lines[0]).toMatch(
      /^api: calls, pglite +0\.50 before, 0\.40 now, -20 % \(tolerated \+5 %\)  WORSE$/,
    );
  });

  test('of another client is not compared', () => {
    const before = row({ ratios: [0.5], client: 'wrk 4.1.0' });
    const now = row({ ratios: [0.1], client: 'own client' });
    expect(compareRows({ rows: [before] }, [now])).toEqual({
      worse: [],
      lines: [expect.stringMatching(/not compared: wrk 4\.1\.0 before, own client now$/)],
    });
  });

  test('that the earlier run did not measure is left out', () => {
    expect(compareRows({ rows: [steady(1)] }, [steady(0.1, { name: 'other calls' })])).toEqual({
      worse: [],
      lines: [],
    });
  });
});
