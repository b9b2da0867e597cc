import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import {
  createMessage as creation,
  type listMessages as list,
  type Message,
} from '#lib/contract/conversations.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { refuseBrokenCursor } from '../cursor.ts';
import { invalid, notFound } from '../errors.ts';
import { beginEventSpan } from '../events/begin-event-span.ts';
import { runOnce } from '../idempotency/claim-request.ts';
import { readPage, windowOf } from '../read-page.ts';
import { largestBigId, parseResourceReference } from '../resource-reference.ts';
import { findConversation } from './conversations.ts';
import { insertFilteredMessages, type InsertedMessage } from './store/insert-messages.ts';
import { describeMessage, keyIdOf } from './describe-message.ts';
import { listMessageRows, messagesOf } from './store/messages.ts';

/**
 * Writes a message in an open conversation and announces it.
 * @throws ServiceError NOT_FOUND; VALIDATION_ERROR if the conversation is closed, or the
 *   idempotency key was used for another request
 */
export async function createMessage(
  ctx: Context,
  actor: Actor,
  input: { conversation: string; idempotencyKey: string | null } & z.output<typeof creation.body>,
): Promise<Message> {
  const { idempotencyKey, ...request } = input;
  const conversation = parseResourceReference(input.conversation, largestBigId);
  if (!conversation) throw notFound();

  const { accountId, origin } = actor;
  const uuid = randomUUID();
  const span = beginEventSpan(ctx, { accountId, uuid, type: 'message.created', origin });
  const message = {
    accountId,
    event: { uuid, traceParent: span?.traceParent ?? null },
    conversation,
    author: input.author,
    text: input.text,
    metadata: input.metadata ?? {},
    apiKeyId: keyIdOf(actor),
    now: ctx.clock.now(),
  };
  if (idempotencyKey === null) {
    const written = messageOf(await ctx.messageWrites.write(message));
    span?.end();
    return written;
  }

  let webhookIds: readonly number[] = [];
  const created = await runOnce(ctx, actor, {
    key: idempotencyKey,
    route: creation.name,
    request,
    act: async (tx) => {
      const written = await insertFilteredMessages(tx, {
        messages: [message],
        waitsForLocks: true,
      });
      webhookIds = written.webhookIds;
      const inserted = messageOf(written.inserted[0]);
      span?.end();
      return inserted;
    },
  });
  ctx.laneNotifier.queue(webhookIds);
  return created;
}

/** @throws ServiceError NOT_FOUND; VALIDATION_ERROR if the conversation is closed */
function messageOf(inserted: InsertedMessage | undefined): Message {
  if (inserted?.kind === 'inserted') return inserted.message;
  if (inserted?.kind === 'closed') {
    throw invalid('conversation', 'This conversation is closed. Open a new one.');
  }
  throw notFound();
}

/**
 * A page of a conversation's messages, newest first, or those since the client last read them.
 * @throws ServiceError NOT_FOUND; VALIDATION_ERROR on a cursor that this list did not return
 */
export async function listMessages(
  ctx: Context,
  actor: Actor,
  { conversation, ...query }: { conversation: string } & z.output<typeof list.query>,
): Promise<{ messages: Message[]; nextCursor: string | null; followCursor?: string }> {
  refuseBrokenCursor('messages', query);
  const row = await findConversation(ctx, actor, { conversation });
  const { rows, ...cursors } = await readPage(
    ctx.db,
    { ...query, list: `messages/${row.id}`, all: messagesOf(row) },
    (at, limit) => listMessageRows(ctx.db, row, { ...windowOf(query), at, limit }),
  );
  return { messages: rows.map(describeMessage), ...cursors };
}
