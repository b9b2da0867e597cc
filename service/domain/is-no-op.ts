import { isDeepStrictEqual } from 'node:util';
import { keysOf } from '#lib/object-keys.ts';

/** Whether a change leaves all columns of a row as they are. Such a change is not recorded. */
export function isNoOp<Row extends Record<string, unknown>>(
  row: Row,
  change: Partial<Row>,
): boolean {
  return keysOf(change).every((column) => isDeepStrictEqual(row[column], change[column]));
}
