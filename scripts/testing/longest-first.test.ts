import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Vitest, TestSpecification } from 'vitest/node';
import { LongestFirst, longest } from './longest-first.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

function fileOf(project: string, path: string): TestSpecification {
  const config = { sequence: { groupOrder: 0 }, isolate: false };
  return {
    moduleId: root + path,
    project: { name: project, config },
  } as unknown as TestSpecification;
}

async function sorted(...files: TestSpecification[]): Promise<string[]> {
  const nothingMeasured = { cache: { getTestSpecificationResult: () => undefined } };
  const sequencer = new LongestFirst(nothingMeasured as unknown as Vitest);
  // oxlint-disable-next-line unicorn/no-array-sort -- a sequencer is no array
  return (await sequencer.sort(files)).map(({ moduleId }) => moduleId.slice(root.length));
}

test('test files that take long begin before all others, and short ones come last', async () => {
  expect(
    await sorted(
      fileOf('pure', 'lib/time.test.ts'),
      fileOf('api', 'service/http/listener/listener.test.ts'),
      fileOf('durability', 'service/tests/full-disk.durability.test.ts'),
      fileOf('durability', 'service/tests/crash.durability.test.ts'),
      fileOf('durability', 'service/db/embedded/log-size.durability.test.ts'),
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
