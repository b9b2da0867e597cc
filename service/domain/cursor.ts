import { isSnapshot } from '../db/statements/list-page.ts';
import type { AddedRow, Snapshot } from '../db/statements/list-page.ts';
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
  | 'changes'
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
  const [, id] = decode(cursor, { list, position: idPosition });
  if (!Number.isSafeInteger(Number(id))) throw unknownCursor();
  return Number(id);
}

/**
 * Refuses what is not a cursor of such a list. It needs no webhook or conversation, so a broken
 * cursor is refused like any other broken parameter: before anything is looked up.
 *
 * @throws ServiceError VALIDATION_ERROR
 */
export function refuseBrokenCursor(
  kind: KindOfList,
  { cursor, follow }: { cursor?: string | undefined; follow?: string | undefined },
): void {
  if (follow !== undefined && follow !== 'now') {
    const [, of, id = ''] = /^follow\/(\w+)\/(\d+):/.exec(read(follow)) ?? [];
    if (of !== kind) throw unknownFollowCursor();
    readFollowCursor(`${kind}/${Number(id)}`, follow);
  }
  if (cursor === undefined) return;
  const [list = ''] = read(cursor).split(':');
  const [of, id] = list.split('/');
  if (of !== kind || !idPosition.test(id ?? '')) throw unknownCursor();
  decode(cursor, { list, position: idPosition });
}

const idPosition = /^([1-9]\d{0,15})$/;

/**
 * Where a client that follows a list has come to: it has all rows that were committed in the
 * snapshot `from`, and, if it is between two pages, those up to `page.after` of the rows that were
 * committed since, in the snapshot `page.to`.
 */
export type FollowPosition = { from: Snapshot; page?: { to: Snapshot; after: AddedRow } };

export function writeFollowCursor(list: ListName, { from, page }: FollowPosition): string {
  const rest = page ? [page.to, page.after.addedBy, page.after.id] : [];
  return encode(`follow/${list}`, [from, ...rest].join(';'));
}

/** @throws ServiceError VALIDATION_ERROR on a cursor that following this list did not return */
export function readFollowCursor(
  list: ListName,
  cursor: string,
  refusal = unknownFollowCursor,
): FollowPosition {
  const form = /^([\d:,]+)(?:;([\d:,]+);(\d{1,19});([1-9]\d{0,15}))?$/;
  const found = decode(cursor, {
    list: `follow/${list}`,
    position: form,
    refusal,
  });
  const [, from = '', to, addedBy = '', id] = found;
  if (!isSnapshot(from) || (to !== undefined && !isSnapshot(to))) throw refusal();
  if (BigInt(addedBy || 0) > largestBigint) throw refusal();
  return to === undefined ? { from } : { from, page: { to, after: { addedBy, id: Number(id) } } };
}

export function unknownFollowCursor(): ServiceError {
  return invalid(
    'follow',
    'Use now, or the follow_cursor of a response of this list. After the database was moved or restored, start again with now.',
  );
}

/** A position in a list that is ordered by a time, and by id for rows with the same time. */
export type TimeMark = { at: Date; id: number };

type TimeListName = 'revoked-keys' | 'expired-keys';

export function writeTimeCursor(list: TimeListName, { at, id }: TimeMark): string {
  return encode(list, `${at.getTime()}:${id}`);
}

/**
 * The position before which a page begins; null without a cursor.
 * @throws ServiceError VALIDATION_ERROR on a cursor that this list did not return
 */
export function readTimeCursor(list: TimeListName, cursor: string | undefined): TimeMark | null {
  if (cursor === undefined) return null;
  const [, at, id] = decode(cursor, {
    list,
    position: /^(0|[1-9]\d{0,14}):([1-9]\d{0,9})$/,
  });
  if (Number(at) > latestTime || Number(id) > largestInteger) throw unknownCursor();
  return { at: new Date(Number(at)), id: Number(id) };
}

/** The same for rows that have a UUID in place of an id. */
type UuidMark = { createdAt: Date; uuid: string };

type UuidListName = 'rotation-request-history' | 'desk-requests';

export function writeUuidCursor(list: UuidListName, { createdAt, uuid }: UuidMark): string {
  return encode(list, `${createdAt.getTime()}:${uuid}`);
}

/**
 * The position before which a page begins; null without a cursor.
 * @throws ServiceError VALIDATION_ERROR on a cursor that this list did not return
 */
export function readUuidCursor(list: UuidListName, cursor: string | undefined): UuidMark | null {
  if (cursor === undefined) return null;
  const [, at, uuid = ''] = decode(cursor, {
    list,
    position: /^(0|[1-9]\d{0,14}):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/,
  });
  if (Number(at) > latestTime) throw unknownCursor();
  return { createdAt: new Date(Number(at)), uuid };
}

/** PostgreSQL would refuse values beyond these. No cursor of this API contains them. */
const latestTime = Date.parse('9999-12-31T23:59:59.999Z');
const largestInteger = 2_147_483_647;
const largestBigint = 2n ** 63n - 1n;

function encode(prefix: string, position: string): string {
  return Buffer.from(`${prefix}:${position}`).toString('base64url');
}

function read(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString('latin1');
}

function decode(
  cursor: string,
  {
    list,
    position,
    refusal = unknownCursor,
  }: { list: string; position: RegExp; refusal?: () => ServiceError },
): RegExpExecArray {
  const found = position.exec(read(cursor).slice(list.length + 1));
  // Decoding ignores characters that are not base64url, which no cursor has.
  if (!found || encode(list, found[0]) !== cursor) throw refusal();
  return found;
}

function unknownCursor(): ServiceError {
  return invalid(
    'cursor',
    'Use the next_cursor of a page of this list, or leave it out to start from the beginning.',
  );
}
