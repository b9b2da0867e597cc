import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from './client.ts';

type Conversation = { id: number };

const conversations = [
  {
    subject: 'Where is order 1042?',
    contact: 'lena@example.com',
    metadata: { channel: 'email' },
    lines: ['It was due on Monday.', 'It left our warehouse this morning; here is the tracking.'],
  },
  {
    subject: 'The invoice has the old address',
    contact: 'accounts@example.org',
    metadata: { channel: 'email' },
    lines: ['Could you send it again?', 'Corrected and sent to the same address.'],
  },
  {
    subject: 'Sign-in link does not arrive',
    contact: 'omar@example.net',
    metadata: { channel: 'chat' },
    lines: ['I asked three times.', 'Your mail server refused them; I sent it another way.'],
  },
  {
    subject: 'Can I change the delivery day?',
    contact: 'priya@example.com',
    metadata: { channel: 'sms' },
    lines: ['Thursday would suit me better.', 'Thursday it is.', 'Thank you.'],
  },
  {
    subject: 'A part is missing',
    contact: 'jonas@example.com',
    metadata: { channel: 'chat' },
    lines: ['The box holds seven screws, not eight.', 'One is on its way to you.'],
  },
];

/** Creates some conversations, so that the demo does not start empty. */
export async function holdConversations(call: Client): Promise<void> {
  for (const conversation of conversations) await hold(call, { ...conversation, gapMs: 0 });
}

/**
 * Adds a message to a conversation every few seconds until it is stopped.
 * @throws AbortError when the signal aborts
 */
export async function keepConversing(call: Client, signal: AbortSignal): Promise<never> {
  for (let turn = 0; ; turn += 1) {
    signal.throwIfAborted();
    const conversation = conversations[turn % conversations.length];
    if (conversation) await hold(call, { ...conversation, gapMs: 4000, signal });
  }
}

type HeldConversation = {
  subject: string;
  contact: string;
  metadata: Record<string, string>;
  lines: readonly string[];
  gapMs: number;
  signal?: AbortSignal;
};

async function hold(
  call: Client,
  { lines, gapMs, signal, ...conversation }: HeldConversation,
): Promise<void> {
  const { id } = await call<Conversation>('POST', '/conversations', conversation);
  for (const [index, text] of lines.entries()) {
    await pause(gapMs, undefined, signal && { signal });
    const author = index % 2 === 0 ? 'contact' : 'agent';
    await call('POST', `/conversations/${id}/messages`, { author, text });
  }
  await call('POST', `/conversations/${id}/close`);
}
