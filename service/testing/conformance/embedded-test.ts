import { test } from 'vitest';
import type { OpenDatabase } from '../../db/open.ts';
import { isFullRun } from '../full-run.ts';

/**
 * `test` for a guarantee in which the engines do not differ: it depends on no lock, on no
 * notification, on no second process and on no SQL that other tests do not run. It always runs on
 * the embedded database, and on PostgreSQL with `--full` only.
 */
export function embeddedTestOn(engine: OpenDatabase['engine']) {
  return test.runIf(engine === 'pglite' || isFullRun);
}
