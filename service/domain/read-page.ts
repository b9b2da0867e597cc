import type { Db } from '../db/open.ts';
import {
  endsAfter,
  readSnapshot,
  type AddedRow,
  type FollowedList,
  type PagePosition,
} from '../db/statements/list-page.ts';
import {
  readCursor,
  readFollowCursor,
  unknownFollowCursor,
  writeCursor,
  writeFollowCursor,
  type ListName,
} from './cursor.ts';

type PageInput = { limit: number; cursor?: string | undefined; follow?: string | undefined };

type PageOfList<Row> = { rows: Row[]; nextCursor: string | null; followCursor?: string };

/**
 * A page of a list that can be followed. Without `follow`, it is the newest rows, or those before a
 * cursor.
 *
 * With `follow`, it is what was added since the client last read the list, oldest first. A position
 * says which transactions had been committed, and not how high the ids had come: a transaction can
 * take an id before another one, and be committed after it. So every row is returned once.
 *
 * @param read reads up to `limit` rows from a position on
 * @throws ServiceError VALIDATION_ERROR on a cursor that this list did not return
 */
export async function readPage<Row extends AddedRow>(
  db: Db,
  { list, limit, cursor, follow, all }: PageInput & { list: ListName; all: FollowedList },
  read: (at: PagePosition, limit: number) => Promise<Row[]>,
): Promise<PageOfList<Row>> {
  if (follow === undefined) {
    const found = await read({ before: readCursor(list, cursor) }, limit + 1);
    return pageOf(found, limit, ({ id }) => writeCursor(list, id));
  }
  const position = follow === 'now' ? null : readFollowCursor(list, follow);
  const { current, ofList } = await readSnapshot(db, all);
  const to = position?.page?.to ?? ofList;
  if (!position) {
    return { rows: [], nextCursor: null, followCursor: writeFollowCursor(list, { from: to }) };
  }
  const { from, page } = position;
  if (endsAfter(page?.to ?? from, current)) throw unknownFollowCursor();
  const found = await read({ from, to, after: page?.after ?? null }, limit + 1);
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const next = found.length > limit && last ? { from, page: { to, after: last } } : { from: to };
  return { rows, nextCursor: null, followCursor: writeFollowCursor(list, next) };
}

/** The window of time that a query chooses. */
export function windowOf({
  since,
  until,
}: {
  since?: string | undefined;
  until?: string | undefined;
}): {
  since: Date | undefined;
  until: Date | undefined;
} {
  return { since: instantOf(since), until: instantOf(until) };
}

function instantOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}

/** A page cut from rows that were read one beyond `limit`, to learn whether there are more. */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  cursorAfter: (row: Row) => string,
): { rows: Row[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown, nextCursor: rows.length > limit && last ? cursorAfter(last) : null };
}
