import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Vitest, TestSpecification } from 'vitest/node';
import { LongestFirst, longest } from './longest-first.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

async function sorted(...paths: string[]): Promise<string[]> {
  const project = { name: 'any', config: { sequence: { groupOrder: 0 }, isolate: false } };
  const files = paths.map((path) => ({ moduleId: root + path, project })) as TestSpecification[];
  const nothingMeasured = { cache: { getTestSpecificationResult: () => undefined } };
  const sequencer = new LongestFirst(nothingMeasured as unknown as Vitest);
  // oxlint-disable-next-line unicorn/no-array-sort -- a sequencer is no array
  return (await sequencer.sort(files)).map(({ moduleId }) => moduleId.slice(root.length));
}

test('test files that take long begin before all others, and short ones come last', async () => {
  expect(
    await sorted(
      'lib/time.test.ts',
      'service/http/listener/listener.test.ts',
      'service/tests/full-disk.durability.test.ts',
      'service/tests/crash.durability.test.ts',
      'service/db/embedded/log-size.durability.test.ts',
    ),
  ).toEqual([
    'service/tests/full-disk.durability.test.ts',
    'service/tests/crash.durability.test.ts',
    'service/db/embedded/log-size.durability.test.ts',
    'service/http/listener/listener.test.ts',
    'lib/time.test.ts',
  ]);
});

test('every file in the list of the longest exists', () => {
  expect(longest.filter((name) => !existsSync(root + name))).toEqual([]);
});
