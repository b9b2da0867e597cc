import { expect, test } from 'vitest';
import { rows } from '../rows.ts';
import type { Row } from '../rows.ts';
import { createRun, judge } from './bench-run.ts';

const load = { before: 0.5, after: 1.5 };
const perSecond: Row = {
  bench: 'api',
  name: 'GET /things',
  unit: 'per s',
  better: 'higher',
  targets: { postgresql: { of: 'ratio', bound: 0.5 } },
};
const milliseconds: Row = {
  bench: 'latency',
  name: 'p99',
  unit: 'ms',
  better: 'lower',
  targets: { postgresql: { of: 'value', bound: 10 } },
};

test('a row has the medians of its values, of their yardsticks and of its ratios', () => {
  const samples = [
    { value: 60, yardstick: 100 },
    { value: 50, yardstick: 50 },
    { value: 40, yardstick: 200 },
  ];
  expect(judge(perSecond, { engine: 'postgresql', samples }, load)).toMatchObject({
    bench: 'api',
    name: 'GET /things',
    engine: 'postgresql',
    client: null,
    load,
    value: 50,
    yardstick: 100,
    ratio: 0.6,
    samples: [{ ratio: 0.6 }, { ratio: 1 }, { ratio: 0.2 }],
    target: { of: 'ratio', bound: 0.5 },
    isMet: true,
  });
});

test.each([
  [perSecond, 50, true],
  [perSecond, 49, false],
  [milliseconds, 10, true],
  [milliseconds, 11, false],
])('the target of $unit is met or not: %d', (row, value, isMet) => {
  const samples = [{ value, yardstick: 100 }];
  expect(judge(row, { engine: 'postgresql', samples }, load).isMet).toBe(isMet);
  expect(judge(row, { engine: 'pglite', samples }, load)).toMatchObject({
    target: null,
    isMet: null,
  });
});

test('a row without a yardstick has no ratio, and its spread is that of its values', () => {
  const samples = [90, 100, 110].map((value) => ({ value, yardstick: null }));
  const row = judge(milliseconds, { engine: 'postgresql', samples }, load);
  expect(row).toMatchObject({ value: 100, yardstick: null, ratio: null });
  expect(row.spread).toBeCloseTo(0.1);
});

test('a run prints and stores each row with its target', () => {
  const printed: string[] = [];
  const run = createRun({
    isFull: false,
    engines: ['postgresql'],
    client: { name: 'none', send: () => Promise.reject(new Error('nothing is sent')) },
    print: (line) => printed.push(line),
  });
  run.add(rows.api['GET /api-key'], {
    engine: 'postgresql',
    samples: [{ value: 100, yardstick: 1000 }],
    client: 'none',
  });
  expect(printed).toEqual([
    expect.stringMatching(
      /^GET \/api-key, postgresql +100 per s  yardstick 1,000  ratio 0\.10 .*≥ 0\.35: not met, 28 % of it {2}\[load /,
    ),
  ]);
  expect(run.rows).toMatchObject([{ name: 'GET /api-key', client: 'none', isMet: false }]);
});
