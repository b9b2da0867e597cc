import { and, asc, eq, gte, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm';
import type { EventType } from '#lib/contract/events/events.ts';
import { maxStreams } from '#lib/contract/events/event-feed.ts';
import type { Db, Tx } from '../../db/open.ts';
import { eventStreams } from '../../db/schema/webhooks/event-streams.ts';
import { events } from '../../db/schema/webhooks/events.ts';
import {
  isOnPage,
  orderOfPage,
  type FollowedList,
  type PagePosition,
} from '../../db/statements/list-page.ts';
import type { AccountId } from '../account-id.ts';

export type StreamedEvent = Pick<typeof events.$inferSelect, 'id' | 'uuid' | 'payload' | 'addedBy'>;

export function eventsOf(accountId: AccountId): FollowedList {
  return { table: events, where: eq(events.accountId, accountId) };
}

/** The events of these types on a page of an account, but not those about the webhook itself. */
export async function listStreamedEvents(
  db: Db,
  { accountId, id }: { accountId: AccountId; id: number },
  { types, at, limit }: { types: readonly EventType[]; at: PagePosition; limit: number },
): Promise<StreamedEvent[]> {
  return await db
    .select({
      id: events.id,
      uuid: events.uuid,
      payload: events.payload,
      addedBy: events.addedBy,
    })
    .from(events)
    .where(
      and(
        eq(events.accountId, accountId),
        inArray(events.type, [...types]),
        or(isNull(events.aboutWebhookId), ne(events.aboutWebhookId, id)),
        isOnPage(events, at),
      ),
    )
    .orderBy(...orderOfPage(events, at))
    .limit(limit);
}

export type StreamRow = typeof eventStreams.$inferInsert;

/**
 * Stores an open stream under a free number of its account, or one whose stream was last seen
 * before `staleBefore`. Another transaction may take the number that was free: the next one is
 * tried then.
 *
 * @returns whether there was a free number
 */
export async function insertStream(
  tx: Tx,
  row: Omit<StreamRow, 'number'>,
  staleBefore: Date,
): Promise<boolean> {
  const taken = await tx
    .select({ number: eventStreams.number })
    .from(eventStreams)
    .where(and(eq(eventStreams.accountId, row.accountId), gte(eventStreams.seenAt, staleBefore)))
    .orderBy(asc(eventStreams.number));
  const numbers = new Set(taken.map(({ number }) => number));
  for (let number = 1; number <= maxStreams; number += 1) {
    if (numbers.has(number)) continue;
    const { uuid, webhookId, seenAt } = row;
    const inserted = await tx
      .insert(eventStreams)
      .values({ ...row, number })
      .onConflictDoUpdate({
        target: [eventStreams.accountId, eventStreams.number],
        set: { uuid, webhookId, seenAt },
        setWhere: lt(eventStreams.seenAt, staleBefore),
      })
      .returning({ number: eventStreams.number });
    if (inserted.length > 0) return true;
  }
  return false;
}

/** Says that a stream is open. @returns false if its number was given to another one */
export async function updateSeen(
  tx: Tx,
  { accountId, uuid }: Pick<StreamRow, 'accountId' | 'uuid'>,
  seenAt: Date,
): Promise<boolean> {
  const updated = await tx
    .update(eventStreams)
    .set({ seenAt })
    .where(and(eq(eventStreams.accountId, accountId), eq(eventStreams.uuid, uuid)))
    .returning({ one: sql`1` });
  return updated.length > 0;
}

export async function deleteStream(
  tx: Tx,
  { accountId, uuid }: Pick<StreamRow, 'accountId' | 'uuid'>,
): Promise<void> {
  await tx
    .delete(eventStreams)
    .where(and(eq(eventStreams.accountId, accountId), eq(eventStreams.uuid, uuid)));
}
