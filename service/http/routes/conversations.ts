import type { Hono } from 'hono';
import * as contract from '#lib/contract/conversations.ts';
import type { Context } from '../../context.ts';
import {
  closeConversation,
  createConversation,
  getConversation,
  listConversations,
} from '../../domain/conversations/conversations.ts';
import { createMessage, listMessages } from '../../domain/conversations/messages.ts';
import { mount } from '../mount.ts';

export function mountConversationRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, contract.listConversations).handle(async ({ actor, query }) => {
    const { conversations, nextCursor } = await listConversations(ctx, actor, query);
    return {
      status: 200,
      body: { success: true, data: conversations, next_cursor: nextCursor },
    };
  });

  mount(app, ctx, contract.createConversation).respond(
    async ({ actor, body, sentBody, idempotencyKey }) =>
      await createConversation(ctx, actor, { ...body, sentBody, idempotencyKey }),
  );

  mount(app, ctx, contract.getConversation).respond(
    async ({ actor, params }) => await getConversation(ctx, actor, params),
  );

  mount(app, ctx, contract.closeConversation).respond(
    async ({ actor, params }) => await closeConversation(ctx, actor, params),
  );

  mount(app, ctx, contract.listMessages).handle(async ({ actor, params, query }) => {
    const { messages, nextCursor, followCursor } = await listMessages(ctx, actor, {
      conversation: params.conversation,
      ...query,
    });
    return {
      status: 200,
      body: { success: true, data: messages, next_cursor: nextCursor, follow_cursor: followCursor },
    };
  });

  mount(app, ctx, contract.createMessage).respond(
    async ({ actor, params, body, idempotencyKey }) =>
      await createMessage(ctx, actor, {
        conversation: params.conversation,
        idempotencyKey,
        ...body,
      }),
  );
}
