import { z } from 'zod';
import { boundedText, rawText } from './fields/bounded-text.ts';
import {
  followedPage,
  followedPageQuery,
  id,
  identifiers,
  page,
  pageQuery,
  success,
  timestamp,
  uuid,
  noFields,
} from './fields/fields.ts';
import { queryInstant } from './fields/instants.ts';
import { givenMetadata, metadata, metadataRules, origin } from './fields/metadata.ts';
import {
  bytesInJson,
  cleanCustomerText,
  hasNoControlCharacter,
  isVisible,
} from './fields/plain-text.ts';
import { defineRoute } from './route.ts';
import { sampleClosedConversation, sampleConversation, sampleMessage } from './samples.ts';

export const conversation = z
  .object({
    ...identifiers('the conversation'),
    subject: z.string().describe('What the conversation is about.'),
    contact: z.string().nullable().describe('Who the conversation is with; null if unknown.'),
    status: z
      .enum(['open', 'closed'])
      .describe('A closed conversation accepts no more messages and is never opened again.'),
    metadata: metadata.describe('What was stored with the conversation when it was opened.'),
    origin: origin.describe('The API key that opened it; null if that was not recorded.'),
    created_at: timestamp.describe('When the conversation was opened.'),
    closed_at: timestamp.nullable().describe('When it was closed; null while it is open.'),
  })
  .meta({
    id: 'Conversation',
    description: 'A conversation with a contact. Its messages are listed separately.',
    examples: [sampleConversation],
  });

export type Conversation = z.infer<typeof conversation>;

/**
 * A subject or contact: what a customer wrote, in any language. It is cleaned and not refused, since
 * the client who sends it did not write it.
 *
 * @param missing what to do when nothing is left of the text
 */
function customerText(missing: string) {
  const tooLong = 'Use at most 255 characters.';
  return rawText(4096, { tooLong })
    .transform(cleanCustomerText)
    .pipe(
      z
        .string()
        .min(1, missing)
        .refine(
          (text) => isVisible(text.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')),
          missing,
        )
        .refine((text) => [...text].length <= 255, tooLong),
    )
    .meta({ maxLength: 255 });
}

/** The same in words. */
const customerTextRules =
  '1 to 255 characters in one line. It is trimmed, line breaks and tabs become spaces, and control characters and overrides of the text direction are removed.';

const messageAuthors = ['contact', 'agent', 'bot'] as const;

const author = z.enum(messageAuthors, { error: `Use one of: ${messageAuthors.join(', ')}.` });

export const message = z
  .object({
    id: id.describe('Integer id of the message.'),
    uuid: uuid.describe('UUID of the message.'),
    conversation_id: id.describe('Integer id of the conversation it belongs to.'),
    author: author.describe('Who wrote it: the contact, a member of your team, or a bot.'),
    text: z.string().describe('What was written, 1 to 16,384 characters.'),
    metadata: metadata.describe('What was stored with the message.'),
    origin: origin.describe('The API key that wrote it; null if that was not recorded.'),
    sequence: z
      .int()
      .min(1)
      .nullable()
      .describe(
        'Its place among the events of the conversation, from 1 on without gaps: events whose `sequence` is higher happened later. Null if that was not recorded.',
      ),
    created_at: timestamp.describe('When it was written.'),
  })
  .meta({ id: 'Message', description: 'A message in a conversation.', examples: [sampleMessage] });

export type Message = z.infer<typeof message>;

/**
 * How much of the payload of `message.created`, which has at most 64 KiB, the text and the metadata
 * of the message may take as JSON. The metadata of the conversation takes at most 9,000 bytes, and
 * everything else, with the longest subject, less than 2,536.
 */
const maxTextBytes = 54_000;

const messageText = boundedText(16_384)
  .min(1, 'Enter a text of 1 to 16384 characters.')
  .refine(hasNoControlCharacter, 'Remove control characters other than line breaks and tabs.')
  .refine(
    // oxlint-disable-next-line browser-floor/supported -- schemas run on the server only
    (text) => text.isWellFormed(),
    'Remove the half of a surrogate pair (U+D800 to U+DFFF): it is not a character.',
  );

function fitsIntoPayload({
  text,
  metadata: given,
}: {
  text: string;
  metadata?: Record<string, string> | undefined;
}): boolean {
  // A code unit of a text without control characters takes at most three bytes, whether it is
  // escaped or not.
  if (given === undefined && 3 * text.length <= maxTextBytes) return true;
  const quotes = 2;
  return bytesInJson(text) - quotes + (given ? bytesInJson(given) : 0) <= maxTextBytes;
}

export const listConversations = defineRoute({
  name: 'listConversations',
  method: 'GET',
  path: '/api/v1/conversations',
  summary: 'List conversations, newest first',
  access: { scope: 'conversations:read', act: 'conversations.read' },
  query: z.strictObject({
    status: z
      .enum(['open', 'closed'], { error: 'Use open or closed.' })
      .optional()
      .describe('Lists only conversations with this status.'),
    contact: boundedText(255)
      .optional()
      .describe('Lists only conversations with this contact, written as the API returns it.'),
    since: queryInstant
      .optional()
      .describe('Lists only conversations opened at this time or later.'),
    until: queryInstant.optional().describe('Lists only conversations opened before this time.'),
    ...pageQuery,
  }),
  response: { 200: page(conversation) },
});

export const createConversation = defineRoute({
  name: 'createConversation',
  method: 'POST',
  path: '/api/v1/conversations',
  summary: 'Open a conversation',
  description: 'Sends the event `conversation.created` to the webhooks that subscribe to it.',
  access: { scope: 'conversations:write', act: 'conversations.write' },
  onRepeat: 'same-response',
  body: z
    .strictObject({
      subject: customerText('Enter a subject of 1 to 255 characters.').describe(
        `What the conversation is about: ${customerTextRules}`,
      ),
      contact: customerText('Name the contact in 1 to 255 characters, or omit the field.')
        .nullable()
        .optional()
        .describe(`Who the conversation is with, null if unknown: ${customerTextRules}`),
      metadata: givenMetadata.describe(
        `What to store with the conversation, and to send with its events: ${metadataRules}`,
      ),
    })
    .meta({
      id: 'CreateConversationInput',
      description: 'A conversation to open.',
      examples: [
        {
          subject: sampleConversation.subject,
          contact: sampleConversation.contact,
          metadata: sampleConversation.metadata,
        },
      ],
    }),
  response: { 201: success(conversation) },
});

export const getConversation = defineRoute({
  name: 'getConversation',
  method: 'GET',
  path: '/api/v1/conversations/{conversation}',
  summary: 'Get a conversation',
  access: { scope: 'conversations:read', act: 'conversations.read' },
  response: { 200: success(conversation) },
});

export const closeConversation = defineRoute({
  name: 'closeConversation',
  method: 'POST',
  path: '/api/v1/conversations/{conversation}/close',
  summary: 'Close a conversation',
  description:
    'Sends the event `conversation.closed` to the webhooks that subscribe to it. A closed conversation accepts no more messages. If the conversation is already closed, the response is 422.',
  access: { scope: 'conversations:write', act: 'conversations.write' },
  body: noFields,
  stateRefusal: { conversation: ['This conversation is already closed.'] },
  response: { 200: success(conversation, sampleClosedConversation) },
});

export const listMessages = defineRoute({
  name: 'listMessages',
  method: 'GET',
  path: '/api/v1/conversations/{conversation}/messages',
  summary: 'List the messages of a conversation, newest first',
  access: { scope: 'conversations:read', act: 'conversations.read' },
  query: followedPageQuery({
    since: queryInstant.optional().describe('Lists only messages written at this time or later.'),
    until: queryInstant.optional().describe('Lists only messages written before this time.'),
  }),
  response: { 200: followedPage(message) },
});

export const createMessage = defineRoute({
  name: 'createMessage',
  method: 'POST',
  path: '/api/v1/conversations/{conversation}/messages',
  summary: 'Write a message in a conversation',
  description:
    'The conversation must be open. Sends the event `message.created` to the webhooks that subscribe to it.',
  access: { scope: 'messages:write', act: 'conversations.write' },
  onRepeat: 'same-response',
  body: z
    .strictObject({
      author: author.describe('Who wrote it: the contact, a member of your team, or a bot.'),
      text: messageText.describe(
        'The message, 1 to 16,384 characters, without control characters other than line breaks and tabs. In UTF-8 it has, with the metadata of the message, at most 54,000 bytes, where quotes, backslashes, tabs and line breaks count as two each. It is stored unchanged, including spaces.',
      ),
      metadata: givenMetadata.describe(`What to store with the message: ${metadataRules}`),
    })
    .refine(fitsIntoPayload, {
      path: ['text'],
      error: `Use at most ${maxTextBytes} bytes in UTF-8, with the metadata. Quotes, backslashes, tabs and line breaks count as two bytes each. Write a longer text as several messages.`,
    })
    .meta({
      id: 'CreateMessageInput',
      description: 'A message to add to a conversation.',
      examples: [{ author: sampleMessage.author, text: sampleMessage.text }],
    }),
  response: { 201: success(message) },
});
