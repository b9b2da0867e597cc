import type { Sink } from './start-sink.ts';

export type FilledAccount = {
  /** The tokens of different keys. */
  tokens: string[];
  /** The sink receives the messages of these conversations. */
  conversationIds: number[];
};

/** The path at which the sink receives the messages of the account's conversations. */
export const messagesPath = '/messages';

/** Creates keys, webhooks and conversations over the API. One of the webhooks receives messages. */
export async function fillAccount(
  { origin, token }: { origin: string; token: string },
  {
    sink,
    keys,
    webhooks,
    conversations,
  }: { sink: Sink; keys: number; webhooks: number; conversations: number },
): Promise<FilledAccount> {
  const post = async (path: string, body: object) => await create(`${origin}${path}`, token, body);
  const tokens: string[] = [];
  for (let made = 1; made <= keys; made += 1) {
    const key = await post('/api/v1/api-keys', { name: `Key ${made}`, type: 'full' });
    tokens.push(String(key['token']));
  }
  for (let made = 1; made <= webhooks; made += 1) {
    const [path, event] =
      made === 1 ? [messagesPath, 'message.created'] : [`/hook-${made}`, 'conversation.closed'];
    await post('/api/v1/webhooks', {
      name: `Webhook ${made}`,
      url: `${sink.origin}${path}`,
      events: [event],
    });
  }
  const conversationIds: number[] = [];
  for (let made = 1; made <= conversations; made += 1) {
    const conversation = await post('/api/v1/conversations', { subject: `Order ${made}` });
    conversationIds.push(Number(conversation['id']));
  }
  return { tokens, conversationIds };
}

async function create(url: string, token: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== 201) throw new Error(`${url}: ${await response.text()}`);
  return ((await response.json()) as { data: Record<string, unknown> }).data;
}
