import { expect } from '@playwright/test';
import type { APIRequestContext } from '@playwright/test';
import { readData } from './api-client.ts';
import type { ReceivedRequest } from './receiver.ts';

/**
 * Writes a message in a new conversation: this creates two events, `conversation.created` first.
 */
export async function writeMessage(api: APIRequestContext, text: string): Promise<void> {
  const conversation = await api.post('/api/v1/conversations', {
    data: { subject: 'Where is order 1042?', contact: 'lena@example.com' },
  });
  const data = await readData<{ id: number }>(conversation);
  const response = await api.post(`/api/v1/conversations/${data.id}/messages`, {
    data: { author: 'contact', text },
  });
  expect(response.status()).toBe(201);
}

/** The text of the message in a delivery. */
export function textOf({ body }: ReceivedRequest): string {
  return (JSON.parse(body) as { data: { message: { text: string } } }).data.message.text;
}
