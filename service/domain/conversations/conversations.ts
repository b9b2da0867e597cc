import type { z } from 'zod';
import {
  createConversation as creation,
  type Conversation,
  type listConversations as list,
} from '#lib/contract/conversations.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { readCursor, writeCursor } from '../cursor.ts';
import { invalid, notFound } from '../errors.ts';
import { publishEvent } from '../events/publish-event.ts';
import { runOnce } from '../idempotency/claim-request.ts';
import { refuseDeletedAccount } from '../people/accounts/deletion.ts';
import { pageOf, windowOf } from '../read-page.ts';
import { largestBigId, parseResourceReference } from '../resource-reference.ts';
import { describeOrigin, keyIdOf } from './describe-message.ts';
import {
  closeConversationRow,
  findConversationRow,
  insertConversation,
  listConversationRows,
  lockConversation,
  type ConversationRow,
} from './store/conversations.ts';

/**
 * Opens a conversation in the actor's account and announces it.
 * @throws ServiceError VALIDATION_ERROR if the idempotency key was used for another request;
 *   NOT_FOUND if the account was deleted after the actor was authenticated
 */
export async function createConversation(
  ctx: Context,
  actor: Actor,
  input: z.output<typeof creation.body> & { idempotencyKey: string | null; sentBody?: unknown },
): Promise<Conversation> {
  let webhookIds: readonly number[] = [];
  const created = await runOnce(ctx, actor, {
    key: input.idempotencyKey,
    route: creation.name,
    // As sent: cleaning makes different texts equal.
    request: input.sentBody,
    act: async (tx) => {
      await refuseDeletedAccount(tx, actor.accountId);
      const now = ctx.clock.now();
      const conversation = describeConversation(
        await insertConversation(tx, {
          accountId: actor.accountId,
          subject: input.subject,
          contact: input.contact ?? null,
          status: 'open',
          metadata: input.metadata ?? {},
          apiKeyId: keyIdOf(actor),
          lastSequence: 1,
          createdAt: now,
        }),
      );
      webhookIds = await publishEvent(ctx, tx, {
        accountId: actor.accountId,
        origin: actor.origin,
        now,
        event: {
          type: 'conversation.created',
          data: { conversation, origin: conversation.origin, sequence: 1 },
        },
      });
      return conversation;
    },
  });
  ctx.laneNotifier.queue(webhookIds);
  return created;
}

/** Closes a conversation. @throws ServiceError NOT_FOUND; VALIDATION_ERROR if it is closed */
export async function closeConversation(
  ctx: Context,
  actor: Actor,
  input: { conversation: string },
): Promise<Conversation> {
  const now = ctx.clock.now();
  const reference = parseResourceReference(input.conversation, largestBigId);
  if (!reference) throw notFound();

  const { conversation, webhookIds } = await ctx.db.transaction(async (tx) => {
    const before = await lockConversation(tx, actor.accountId, reference);
    if (!before) throw notFound();
    await refuseDeletedAccount(tx, actor.accountId);
    if (before.status === 'closed') {
      throw invalid('conversation', 'This conversation is already closed.');
    }
    const row = await closeConversationRow(tx, before, now);
    const closed = describeConversation(row);
    const origin = describeOrigin(keyIdOf(actor));
    const published = await publishEvent(ctx, tx, {
      accountId: actor.accountId,
      origin: actor.origin,
      now,
      event: {
        type: 'conversation.closed',
        data: { conversation: closed, origin, sequence: row.lastSequence },
      },
    });
    return { conversation: closed, webhookIds: published };
  });
  ctx.laneNotifier.queue(webhookIds);
  return conversation;
}

/**
 * A page of the account's conversations that match the filters, newest first.
 * @throws ServiceError VALIDATION_ERROR on a cursor that this list did not return
 */
export async function listConversations(
  ctx: Context,
  actor: Actor,
  { cursor, limit, ...filter }: z.output<typeof list.query>,
): Promise<{ conversations: Conversation[]; nextCursor: string | null }> {
  const before = readCursor('conversations', cursor);
  const found = await listConversationRows(ctx.db, actor.accountId, {
    ...filter,
    ...windowOf(filter),
    before,
    limit: limit + 1,
  });
  const { rows, nextCursor } = pageOf(found, limit, ({ id }) => writeCursor('conversations', id));
  return { conversations: rows.map(describeConversation), nextCursor };
}

/** One conversation of the actor's account. @throws ServiceError NOT_FOUND */
export async function getConversation(
  ctx: Context,
  actor: Actor,
  input: { conversation: string },
): Promise<Conversation> {
  return describeConversation(await findConversation(ctx, actor, input));
}

/** A conversation of the actor's account. @throws ServiceError NOT_FOUND */
export async function findConversation(
  ctx: Context,
  actor: Actor,
  input: { conversation: string },
): Promise<ConversationRow> {
  const reference = parseResourceReference(input.conversation, largestBigId);
  const row = reference && (await findConversationRow(ctx.db, actor.accountId, reference));
  if (!row) throw notFound();
  return row;
}

function describeConversation(row: ConversationRow): Conversation {
  return {
    id: row.id,
    uuid: row.uuid,
    subject: row.subject,
    contact: row.contact,
    status: row.status,
    metadata: row.metadata,
    origin: describeOrigin(row.apiKeyId),
    created_at: formatApiTime(row.createdAt),
    closed_at: row.closedAt && formatApiTime(row.closedAt),
  };
}
