import { and, asc, eq, gt, inArray, isNotNull, lte, notExists, sql } from 'drizzle-orm';
import type { PgTable, PgColumn } from 'drizzle-orm/pg-core';
import type { Db, Tx } from '../../db/open.ts';
import { accounts } from '../../db/schema/people/accounts.ts';
import {
  apiKeyTokens,
  tokenAddresses,
  tokenCalls,
} from '../../db/schema/api-keys/api-key-tokens.ts';
import { apiKeys } from '../../db/schema/api-keys/api-keys.ts';
import { callCounts, callers, failedCalls } from '../../db/schema/api-keys/calls.ts';
import { conversations, messages } from '../../db/schema/conversations.ts';
import { eventStreams } from '../../db/schema/webhooks/event-streams.ts';
import { events } from '../../db/schema/webhooks/events.ts';
import { idempotentResponses } from '../../db/schema/idempotent-responses.ts';
import { incidentKeys, incidents } from '../../db/schema/api-keys/incidents.ts';
import { invitations, members } from '../../db/schema/people/members.ts';
import { notices } from '../../db/schema/people/notices.ts';
import { people } from '../../db/schema/people/people.ts';
import { replays } from '../../db/schema/webhooks/replays.ts';
import { rotationRequests } from '../../db/schema/api-keys/rotation-requests.ts';
import { sessions } from '../../db/schema/people/sessions.ts';
import { isOpenAt } from '../../db/stored-session.ts';
import { installationSupport, supportVisits } from '../../db/schema/people/support.ts';
import { webhookHeaders, webhooks, webhookSecrets } from '../../db/schema/webhooks/webhooks.ts';
import type { AccountId } from '../account-id.ts';

/** Accounts that were deleted at or before this moment, oldest deletion first. */
export async function listAccountsToErase(db: Db, deletedBy: Date): Promise<string[]> {
  const rows = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(isToErase(deletedBy))
    .orderBy(asc(accounts.deletedAt), asc(accounts.id));
  return rows.map(({ id }) => id);
}

/** Locks it for this transaction. False if another has it, or it is not deleted. Never waits. */
export async function takeAccountToErase(
  tx: Tx,
  accountId: AccountId,
  deletedBy: Date,
): Promise<boolean> {
  const found = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.id, accountId), isToErase(deletedBy)))
    .for('update', { skipLocked: true });
  return found.length > 0;
}

function isToErase(deletedBy: Date) {
  return and(isNotNull(accounts.deletedAt), lte(accounts.deletedAt, deletedBy));
}

/**
 * The tables of an account, in the order in which their rows are removed: referring rows first, so
 * that no removal cascades beyond its batch. Retention removes deliveries and attempts, as for any
 * deleted webhook, and the audit noun removes its entries.
 */
const tablesOfAccount: readonly (PgTable & { accountId: PgColumn })[] = [
  webhookHeaders,
  webhookSecrets,
  webhooks,
  replays,
  idempotentResponses,
  eventStreams,
  events,
  messages,
  conversations,
  rotationRequests,
  supportVisits,
  incidentKeys,
  incidents,
  failedCalls,
  callCounts,
  callers,
  tokenCalls,
  tokenAddresses,
  notices,
  apiKeyTokens,
  apiKeys,
  invitations,
];

/** Removes up to `limit` rows of an account from the first table that has some. @returns how many */
export async function deleteRowsOfAccount(
  tx: Tx,
  accountId: AccountId,
  limit: number,
): Promise<number> {
  for (const table of tablesOfAccount) {
    const some = tx
      .select({ ctid: sql`ctid` })
      .from(table)
      .where(eq(table.accountId, accountId))
      .limit(limit);
    const removed = await tx
      .delete(table)
      .where(sql`ctid = any(array(${some}))`)
      .returning({ one: sql`1` });
    if (removed.length > 0) return removed.length;
  }
  return 0;
}

/**
 * Removes an account whose other rows are all gone, with its members, and those people who belong
 * to no other account and are not installation support.
 *
 * @returns the email addresses of the people
 */
export async function deleteAccountRow(tx: Tx, accountId: AccountId): Promise<string[]> {
  const removed = await tx
    .delete(members)
    .where(eq(members.accountId, accountId))
    .returning({ personId: members.personId });
  await tx.delete(accounts).where(eq(accounts.id, accountId));
  const ids = removed.map(({ personId }) => personId);
  if (ids.length === 0) return [];
  const erased = await tx
    .delete(people)
    .where(and(inArray(people.id, ids), hasNoAccount(tx)))
    .returning({ email: people.email });
  return erased.map(({ email }) => email);
}

/**
 * Removes up to `limit` people who have been in no account since `since`, and have neither an
 * invitation nor a session. Nobody is removed who is named by a rotation request from after
 * `requestsSince`, because the request would be removed with them.
 *
 * @returns their email addresses
 */
export async function deletePeopleOfNoAccount(
  tx: Tx,
  {
    since,
    requestsSince,
    now,
    limit,
  }: { since: Date; requestsSince: Date; now: Date; limit: number },
): Promise<string[]> {
  const invitation = tx
    .select({ one: sql`1` })
    .from(invitations)
    .where(and(eq(invitations.email, people.email), gt(invitations.expiresAt, now)));
  const session = tx
    .select({ one: sql`1` })
    .from(sessions)
    .where(and(eq(sessions.personId, people.id), isOpenAt(now)));
  const request = (by: PgColumn) =>
    tx
      .select({ one: sql`1` })
      .from(rotationRequests)
      .where(and(eq(by, people.id), gt(rotationRequests.createdAt, requestsSince)));
  const isErasable = and(
    lte(people.updatedAt, since),
    hasNoAccount(tx),
    notExists(invitation),
    notExists(session),
    notExists(request(rotationRequests.requestedById)),
    notExists(request(rotationRequests.memberId)),
  );
  const found = await tx
    .select({ id: people.id })
    .from(people)
    .where(isErasable)
    .limit(limit)
    .for('update', { skipLocked: true });
  const ids = found.map(({ id }) => id);
  if (ids.length === 0) return [];
  // A separate statement, which sees memberships that were created just before the lock.
  const erased = await tx
    .delete(people)
    .where(and(inArray(people.id, ids), isErasable))
    .returning({ email: people.email });
  return erased.map(({ email }) => email);
}

/** People who are members of no account, and not installation support. */
function hasNoAccount(tx: Tx) {
  const membership = tx
    .select({ one: sql`1` })
    .from(members)
    .where(eq(members.personId, people.id));
  const supporter = tx
    .select({ one: sql`1` })
    .from(installationSupport)
    .where(eq(installationSupport.personId, people.id));
  return and(notExists(membership), notExists(supporter));
}
