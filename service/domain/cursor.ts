import { invalid } from './errors.ts';
import type { ServiceError } from './errors.ts';

/**
 * The lists that come in pages. A cursor names its list, because a position in one list means
 * another position, or nothing, in another. The number is the id of the webhook or conversation.
 */
export type ListName =
  | 'conversations'
  | 'events'
  | 'audit-entries'
  | `messages/${number}`
  | `deliveries/${number}`;

/** The lists that belong to a webhook or a conversation. */
type KindOfList = 'messages' | 'deliveries';

/** An opaque position in a list: the last id of a page. */
export function writeCursor(list: ListName, id: number): string {
  return encode(list, String(id));
}

/**
 * The id below which a page begins; null without a cursor.
 * @throws ServiceError VALIDATION_ERROR on a cursor that this list did not return
 */
export function readCursor(list: ListName, cursor: string | undefined): number | null {
  if (cursor === undefined) return null;
  const [, id] = decode([list, 'id'], idPosition, cursor);
  if (!Number.isSafeInteger(Number(id))) throw unknownCursor();
  return Number(id);
}

/**
 * Refuses what is not a cursor of such a list. It needs no webhook or conversation, so a broken
 * cursor is refused like any other broken parameter: before anything is looked up.
 *
 * @throws ServiceError VALIDATION_ERROR
 */
export function refuseBrokenCursor(kind: KindOfList, cursor: string | undefined): void {
  if (cursor === undefined) return;
  const [list = ''] = read(cursor).split(':');
  const [of, id] = list.split('/');
  const isKnown = list === 'id' || (of === kind && idPosition.test(id ?? ''));
  decode(isKnown ? [list] : [], idPosition, cursor);
}

const idPosition = /^([1-9]\d{0,15})$/;

/** A position in a list that is ordered by a time, and by id for rows with the same time. */
export type TimeMark = { at: Date; id: number };

export type TimeListName = 'revoked-keys' | 'expired-keys';

export function writeTimeCursor(list: TimeListName, { at, id }: TimeMark): string {
  return encode(list, `${at.getTime()}:${id}`);
}

/**
 * The position before which a page begins; null without a cursor.
 * @throws ServiceError VALIDATION_ERROR on a cursor that this list did not return
 */
export function readTimeCursor(list: TimeListName, cursor: string | undefined): TimeMark | null {
  if (cursor === undefined) return null;
  const [, at, id] = decode([list, 'at'], /^(0|[1-9]\d{0,14}):([1-9]\d{0,9})$/, cursor);
  if (Number(at) > latestTime || Number(id) > largestInteger) throw unknownCursor();
  return { at: new Date(Number(at)), id: Number(id) };
}

/** The same for rows that have a UUID in place of an id. */
export type UuidMark = { createdAt: Date; uuid: string };

export type UuidListName = 'rotation-request-history' | 'desk-requests';

export function writeUuidCursor(list: UuidListName, { createdAt, uuid }: UuidMark): string {
  return encode(list, `${createdAt.getTime()}:${uuid}`);
}

/**
 * The position before which a page begins; null without a cursor.
 * @throws ServiceError VALIDATION_ERROR on a cursor that this list did not return
 */
export function readUuidCursor(list: UuidListName, cursor: string | undefined): UuidMark | null {
  if (cursor === undefined) return null;
  const [, at, uuid = ''] = decode(
    [list, 'at'],
    /^(0|[1-9]\d{0,14}):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/,
    cursor,
  );
  if (Number(at) > latestTime) throw unknownCursor();
  return { createdAt: new Date(Number(at)), uuid };
}

/**
 * PostgreSQL would refuse a statement with values beyond these. No cursor of this API contains such
 * values.
 */
const latestTime = Date.parse('9999-12-31T23:59:59.999Z');
const largestInteger = 2_147_483_647;

function encode(prefix: string, position: string): string {
  return Buffer.from(`${prefix}:${position}`).toString('base64url');
}

function read(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString('latin1');
}

/**
 * @param prefixes the name of the list, and what stood in its place in earlier versions: a client may
 *   still have such a cursor
 */
function decode(prefixes: readonly string[], position: RegExp, cursor: string): RegExpExecArray {
  const text = read(cursor);
  const prefix = prefixes.find((each) => text.startsWith(`${each}:`)) ?? '';
  const found = position.exec(text.slice(prefix.length + 1));
  // Decoding ignores characters that are not base64url, which no cursor has.
  if (prefix === '' || !found || encode(prefix, found[0]) !== cursor) throw unknownCursor();
  return found;
}

function unknownCursor(): ServiceError {
  return invalid(
    'cursor',
    'Use the next_cursor of a page of this list, or leave it out to start from the beginning.',
  );
}
