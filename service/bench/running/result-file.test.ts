import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { rows } from '../rows.ts';
import { judge } from './bench-run.ts';
import { publishResults, readResults, writeResults } from './result-file.ts';
import type { Results } from './results.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'results-'));
});
afterEach(() => rm(folder, { recursive: true }));

const measured: Results = {
  date: '2026-01-02T03:04:05.678Z',
  commit: 'abc1234',
  isChanged: false,
  isFull: false,
  machine: { node: 'v24.0.0', cores: 2, processor: 'Some', memoryGiB: 8, system: 'Linux 6' },
  engines: { pglite: '0.5.16', postgresql: null },
  rows: [
    judge(
      rows.latency['50/s, p99'],
      { engine: 'pglite', samples: [{ value: 12, yardstick: 3 }], figures: { commit: 2 } },
      { before: 1, after: 2 },
    ),
  ],
};

test('a written file is read back unchanged', async () => {
  expect(await readResults(await writeResults(measured, [], folder))).toEqual(measured);
});

test('the name of a file contains the day, the commit and the benches that were named', async () => {
  await writeResults(measured, [], folder);
  await writeResults(measured, ['drain', 'latency'], folder);
  expect(await readdir(folder)).toEqual([
    '2026-01-02-abc1234-drain-latency.json',
    '2026-01-02-abc1234.json',
  ]);
});

test('publishing writes a file for each bench, with its rows only', async () => {
  const [row] = measured.rows;
  const other = row && { ...row, bench: 'drain' };
  await publishResults(
    { ...measured, rows: [row, other, other].flatMap((each) => each ?? []) },
    folder,
  );
  expect((await readdir(folder)).toSorted()).toEqual(['drain.json', 'latency.json']);
  expect(await readResults(join(folder, 'latency.json'))).toEqual(measured);
  expect((await readResults(join(folder, 'drain.json'))).rows).toEqual([other, other]);
});

test('a file that no run wrote is refused', async () => {
  const path = join(folder, 'other.json');
  await writeFile(path, JSON.stringify({ ...measured, rows: [{ name: 'a row' }] }));
  await expect(readResults(path)).rejects.toThrow();
});
