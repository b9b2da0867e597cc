import { invalid } from './errors.ts';
import type { ServiceError } from './errors.ts';

/** An opaque position in a list: the last id of a page. */
export function writeCursor(id: number): string {
  return Buffer.from(`id:${id}`).toString('base64url');
}

/**
 * The id below which a page begins; null without a cursor.
 * @throws ServiceError VALIDATION_ERROR on a cursor that this API did not return
 */
export function readCursor(cursor: string | undefined): number | null {
  if (cursor === undefined) return null;
  const match = /^id:([1-9]\d{0,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  const id = Number(match?.[1]);
  if (!Number.isSafeInteger(id) || writeCursor(id) !== cursor) throw unknownCursor();
  return id;
}

/** A position in a list that is ordered by a time, and by id for rows with the same time. */
export type TimeMark = { at: Date; id: number };

export function writeTimeCursor({ at, id }: TimeMark): string {
  return Buffer.from(`at:${at.getTime()}:${id}`).toString('base64url');
}

/**
 * The position before which a page begins; null without a cursor.
 * @throws ServiceError VALIDATION_ERROR on a cursor that this API did not return
 */
export function readTimeCursor(cursor: string | undefined): TimeMark | null {
  if (cursor === undefined) return null;
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const [, at, id] = /^at:(\d{1,15}):([1-9]\d{0,9})$/.exec(text) ?? [];
  const mark = { at: new Date(Number(at)), id: Number(id) };
  const isInRange = Number(at) <= latestTime && mark.id <= largestInteger;
  if (!isInRange || writeTimeCursor(mark) !== cursor) throw unknownCursor();
  return mark;
}

/** The same for rows that have a UUID in place of an id. */
export type UuidMark = { createdAt: Date; uuid: string };

export function writeUuidCursor({ createdAt, uuid }: UuidMark): string {
  return Buffer.from(`at:${createdAt.getTime()}:${uuid}`).toString('base64url');
}

/**
 * The position before which a page begins; null without a cursor.
 * @throws ServiceError VALIDATION_ERROR on a cursor that this API did not return
 */
export function readUuidCursor(cursor: string | undefined): UuidMark | null {
  if (cursor === undefined) return null;
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const [, at, uuid = ''] =
    /^at:(\d{1,15}):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(text) ?? [];
  const mark = { createdAt: new Date(Number(at)), uuid };
  if (!(Number(at) <= latestTime) || writeUuidCursor(mark) !== cursor) throw unknownCursor();
  return mark;
}

/**
 * PostgreSQL would refuse a statement with values beyond these. No cursor of this API contains such
 * values.
 */
const latestTime = Date.parse('9999-12-31T23:59:59.999Z');
const largestInteger = 2_147_483_647;

function unknownCursor(): ServiceError {
  return invalid(
    'cursor',
    'Use the next_cursor of a response, or leave it out to start from the beginning.',
  );
}
