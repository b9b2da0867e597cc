import { and, asc, eq, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm';
import type { EventType } from '#lib/contract/events/events.ts';
import { maxStreams } from '#lib/contract/events/event-feed.ts';
import type { Db, Tx } from '../../db/open.ts';
import { eventStreams } from '../../db/schema/webhooks/event-streams.ts';
import { events } from '../../db/schema/webhooks/events.ts';
import { webhooks } from '../../db/schema/webhooks/webhooks.ts';
import {
  isOnPage,
  orderOfPage,
  type FollowedList,
  type PagePosition,
} from '../../db/statements/list-page.ts';
import type { AccountId } from '../account-id.ts';

export type StreamedEvent = Pick<
  typeof events.$inferSelect,
  'id' | 'uuid' | 'type' | 'payload' | 'addedBy'
>;

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
      type: events.type,
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
 * Stores an open stream under a free number of its account. Another transaction may take the number
 * that was free: the next one is tried then.
 *
 * @returns whether there was a free number
 */
export async function insertStream(tx: Tx, row: Omit<StreamRow, 'number'>): Promise<boolean> {
  const taken = await tx
    .select({ number: eventStreams.number })
    .from(eventStreams)
    .where(eq(eventStreams.accountId, row.accountId))
    .orderBy(asc(eventStreams.number));
  const numbers = new Set(taken.map(({ number }) => number));
  for (let number = 1; number <= maxStreams; number += 1) {
    if (numbers.has(number)) continue;
    const inserted = await tx
      .insert(eventStreams)
      .values({ ...row, number })
      .onConflictDoNothing()
      .returning({ number: eventStreams.number });
    if (inserted.length > 0) return true;
  }
  return false;
}

/** Records that a stream is open. @returns false if it was removed */
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

/** @returns false if it was removed already */
export async function deleteStream(
  tx: Tx,
  { accountId, uuid }: Pick<StreamRow, 'accountId' | 'uuid'>,
): Promise<boolean> {
  const deleted = await tx
    .delete(eventStreams)
    .where(and(eq(eventStreams.accountId, accountId), eq(eventStreams.uuid, uuid)))
    .returning({ one: sql`1` });
  return deleted.length > 0;
}

/** The accounts that have streams which were last seen before a time. */
export async function listAccountsWithSilentStreams(
  db: Db,
  before: Date,
): Promise<{ accountId: string }[]> {
  return await db
    .selectDistinct({ accountId: eventStreams.accountId })
    .from(eventStreams)
    .where(lt(eventStreams.seenAt, before));
}

/** Removes the streams of an account that were last seen before a time. */
export async function deleteSilentStreams(
  tx: Tx,
  accountId: AccountId,
  before: Date,
): Promise<{ webhookId: number; webhookName: string | null }[]> {
  return await tx
    .delete(eventStreams)
    .where(and(eq(eventStreams.accountId, accountId), lt(eventStreams.seenAt, before)))
    .returning({
      webhookId: eventStreams.webhookId,
      webhookName: sql<string | null>`(select name from ${webhooks} as webhook
        where webhook.id = ${eventStreams.webhookId} and webhook.account_id = ${accountId})`,
    });
}
