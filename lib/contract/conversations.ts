import { z } from 'zod';
import { boundedText } from './bounded-text.ts';
import { id, name, page, pageQuery, requiredText, success, timestamp, uuid } from './fields.ts';
import { defineRoute } from './route.ts';
import { sampleClosedConversation, sampleConversation, sampleMessage } from './samples.ts';

export const conversation = z
  .object({
    id,
    uuid,
    subject: z.string(),
    contact: z.string().nullable(),
    status: z.enum(['open', 'closed']),
    created_at: timestamp,
    closed_at: timestamp.nullable(),
  })
  .meta({ id: 'Conversation', examples: [sampleConversation] });

export type Conversation = z.infer<typeof conversation>;

export const messageAuthors = ['contact', 'agent', 'bot'] as const;

export const message = z
  .object({
    id,
    uuid,
    conversation_id: id,
    author: z.enum(messageAuthors),
    text: z.string(),
    created_at: timestamp,
  })
  .meta({ id: 'Message', examples: [sampleMessage] });

export type Message = z.infer<typeof message>;

const messageText = boundedText(16_384, { error: requiredText })
  .min(1, 'Give a text of 1 to 16384 characters.')
  .refine(isStorable, 'Remove control characters other than line breaks and tabs.');

/** PostgreSQL stores no NUL, and UTF-8 has no place for half a surrogate pair. */
function isStorable(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- refusing control characters is the point
  return !/[\u0000-\u0008\u000b\u000c\u000e-\u001f]|\p{Cs}/u.test(text);
}

export const listConversations = defineRoute({
  name: 'listConversations',
  method: 'GET',
  path: '/api/v1/conversations',
  summary: 'List conversations, newest first',
  access: { scope: 'conversations:read', act: 'conversations.read' },
  query: z.object({
    status: z.enum(['open', 'closed'], { error: 'Use open or closed.' }).optional(),
    ...pageQuery,
  }),
  reply: { 200: page(conversation) },
});

export const createConversation = defineRoute({
  name: 'createConversation',
  method: 'POST',
  path: '/api/v1/conversations',
  summary: 'Open a conversation',
  description: 'Announces `conversation.created`.',
  access: { scope: 'conversations:write', act: 'conversations.write' },
  onRepeat: 'same-answer',
  body: z.strictObject({ subject: name, contact: name.nullable().optional() }).meta({
    id: 'CreateConversationInput',
    examples: [{ subject: sampleConversation.subject, contact: sampleConversation.contact }],
  }),
  reply: { 201: success(conversation) },
});

export const getConversation = defineRoute({
  name: 'getConversation',
  method: 'GET',
  path: '/api/v1/conversations/{conversation}',
  summary: 'Get a conversation',
  access: { scope: 'conversations:read', act: 'conversations.read' },
  reply: { 200: success(conversation) },
});

export const closeConversation = defineRoute({
  name: 'closeConversation',
  method: 'POST',
  path: '/api/v1/conversations/{conversation}/close',
  summary: 'Close a conversation',
  description: 'Announces `conversation.closed`.',
  access: { scope: 'conversations:write', act: 'conversations.write' },
  stateRefusal: { conversation: ['This conversation is closed already.'] },
  reply: { 200: success(conversation.meta({ examples: [sampleClosedConversation] })) },
});

export const listMessages = defineRoute({
  name: 'listMessages',
  method: 'GET',
  path: '/api/v1/conversations/{conversation}/messages',
  summary: 'List the messages of a conversation, newest first',
  access: { scope: 'conversations:read', act: 'conversations.read' },
  query: z.object(pageQuery),
  reply: { 200: page(message) },
});

export const createMessage = defineRoute({
  name: 'createMessage',
  method: 'POST',
  path: '/api/v1/conversations/{conversation}/messages',
  summary: 'Write a message in a conversation',
  description: 'The conversation must be open. Announces `message.created`.',
  access: { scope: 'messages:write', act: 'conversations.write' },
  onRepeat: 'same-answer',
  body: z
    .strictObject({
      author: z.enum(messageAuthors, { error: `Use one of: ${messageAuthors.join(', ')}.` }),
      text: messageText,
    })
    .meta({
      id: 'CreateMessageInput',
      examples: [{ author: sampleMessage.author, text: sampleMessage.text }],
    }),
  reply: { 201: success(message) },
});
