import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';
import { kindOf } from './choose-tests.ts';
import type { TestKind } from './choose-tests.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The kind with the shortest files comes last, so that all workers end at about the same time. */
const kinds: TestKind[] = ['durability', 'postgres', 'redis', 'api', 'pure'];

/** The files that take longest. A clean checkout has no measured times. */
export const longest = [
  'service/tests/full-disk.durability.test.ts',
  'service/tests/crash.durability.test.ts',
  'service/delivery/tests/crash.durability.test.ts',
  'service/tests/incident.durability.test.ts',
  'service/delivery/tests/durability.postgres.test.ts',
  'service/delivery/tests/silent-worker.postgres.test.ts',
  'service/delivery/tests/worker.postgres.test.ts',
  'service/delivery/tests/database-away.postgres.test.ts',
  'service/tests/durability.postgres.test.ts',
  'service/http/tests/contract-matrix.test.ts',
  'service/admin/admin.test.ts',
  'service/db/embedded/open-pglite.test.ts',
  'service/http/tests/server-actions.test.ts',
  'scripts/lint/import-rules.test.ts',
];

/**
 * Files go to the next free worker, in this order. If a long file began last, the other workers
 * would have nothing to do. By default, Vitest begins with the largest files.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- a sequencer is no array
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const file = relative(root, moduleId);
  const place = longest.indexOf(file);
  return kinds.indexOf(kindOf(file)) * 100 + (place < 0 ? 99 : place);
}
