import { invalid } from './errors.ts';

/** An opaque mark of how far a page reached: the last id shown. */
export function writeCursor(id: number): string {
  return Buffer.from(`id:${id}`).toString('base64url');
}

/**
 * The id a page begins below; null without a cursor.
 * @throws ServiceError VALIDATION_ERROR on a cursor that `writeCursor` did not make
 */
export function readCursor(cursor: string | undefined): number | null {
  if (cursor === undefined) return null;
  const match = /^id:([1-9]\d{0,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  const id = Number(match?.[1]);
  if (!Number.isSafeInteger(id) || writeCursor(id) !== cursor) {
    throw invalid('cursor', 'Use the next_cursor of an answer, or leave it out to begin anew.');
  }
  return id;
}
