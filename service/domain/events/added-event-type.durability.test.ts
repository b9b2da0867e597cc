import { randomBytes } from 'node:crypto';
import { cpSync } from 'node:fs';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startReceiver } from '../../testing/delivery/receiver.ts';
import type { Receiver } from '../../testing/delivery/receiver.ts';
import { reachesLoopback } from '../../testing/delivery/sender.ts';
import { startServiceIn } from '../../testing/processes/service-process.ts';
import type { ServiceProcess } from '../../testing/processes/service-process.ts';
import { newToken } from '../../tokens/token.ts';
import { useTemporaryFolder } from '../../testing/temporary-folder.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const token = newToken();

type CatalogEntry = {
  type: string;
  description: string;
  schema: Parameters<typeof z.fromJSONSchema>[0];
  sample: object;
};

/** The change that adds an event type. */
const entry = `
  'conversation.archived': {
    description: 'A conversation was put into the archive.',
    data: z.object({ conversation: conversation.describe('The conversation.') }),
    sample: {
      timestamp: sampleClosedConversation.closed_at,
      data: { conversation: sampleClosedConversation },
    },
    access: null,
    group: 'Conversations',
  },
`;

const folder = useTemporaryFolder();
let service: ServiceProcess;
let receiver: Receiver;
beforeAll(async () => {
  for (const name of ['lib', 'service', 'package.json']) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await edit(
    'lib/contract/events/events.ts',
    "\n  'message.created': {",
    (text) => `${entry}${text}`,
  );
  // The verb that publishes the event.
  await edit(
    'service/domain/conversations/conversations.ts',
    'conversation.closed',
    () => 'conversation.archived',
  );
  receiver = await startReceiver();
  service = await startServiceIn(folder, {
    ...reachesLoopback,
    DATA_DIR: join(folder, 'data'),
    INIT_ADMIN_EMAIL: 'ida@example.com',
    INIT_ADMIN_PASSWORD: randomBytes(12).toString('hex'),
    INIT_API_KEY: token,
  });
});
afterAll(async () => {
  await service.kill();
  await receiver.close();
});

test('an event type is added in lib/contract/events/events.ts alone: the catalog and the API description have it, and subscribers receive it', async () => {
  const catalog = (await get('/event-types')) as { data: CatalogEntry[] };
  const added = catalog.data.find(({ type }) => type === 'conversation.archived');
  expect(added?.description).toBe('A conversation was put into the archive.');
  expect(z.fromJSONSchema(added?.schema ?? false).safeParse(added?.sample).success).toBe(true);
  expect(await get('/openapi.json')).toMatchObject({
    webhooks: {
      'conversation.archived': { post: { summary: 'A conversation was put into the archive.' } },
    },
    components: {
      schemas: {
        EventType: { enum: expect.arrayContaining(['conversation.archived']) },
        ConversationArchivedEvent: { type: 'object' },
      },
    },
  });

  const webhook = await post('/webhooks', {
    name: 'Archive',
    url: `${receiver.origin}/archive`,
    events: ['conversation.archived'],
  });
  const { secret } = await post(`/webhooks/${String(webhook['id'])}/regenerate-secret`);
  const { id, uuid } = await post('/conversations', { subject: 'Where is order 1042?' });
  await post(`/conversations/${String(id)}/close`);

  await receiver.received(1);
  const [request] = receiver.requests;
  if (!request) throw new Error('nothing was received');
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  expect(new Webhook(String(secret)).verify(request.body, headers)).toMatchObject({
    type: 'conversation.archived',
    data: { conversation: { uuid } },
  });
});

/** Replaces one place in a file of the copy. */
async function edit(path: string, found: string, change: (found: string) => string): Promise<void> {
  const file = join(folder, path);
  const before = await readFile(file, 'utf8');
  expect(before.split(found), `${found} in ${path}`).toHaveLength(2);
  await writeFile(file, before.replace(found, change));
}

async function get(path: string): Promise<unknown> {
  return await (await call('GET', path)).json();
}

/** The `data` of a response. */
async function post(path: string, body: unknown = {}): Promise<Record<string, unknown>> {
  const response = await call('POST', path, body);
  return ((await response.json()) as { data: Record<string, unknown> }).data;
}

async function call(method: string, path: string, body?: unknown): Promise<Response> {
  const response = await fetch(`${service.origin}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response;
}
