import { timeOf } from '../installation.ts';
import type { Call, Installation } from '../installation.ts';

export type Made = { uuid: string; token: string };

/** The account that the pictures show. */
export type Company = {
  id: string;
  keys: Record<KeyName, Made>;
  /** The UUIDs of its webhooks. */
  webhooks: Record<'analytics' | 'crm' | 'staging', string>;
};

type KeyName = 'backend' | 'bot' | 'sync' | 'relay' | 'report' | 'laptop' | 'monitor';

export const people = {
  ada: 'ada@marlow-finch.example',
  nora: 'nora@marlow-finch.example',
  ben: 'ben@marlow-finch.example',
  ida: 'ida@marlow-finch.example',
  tom: 'tom@agency.example',
  /** Installation support. */
  priya: 'priya.nair@helpdesk.example',
};

export const ips = {
  backend: '198.51.100.17',
  bot: '198.51.100.40',
  relay: '198.51.100.18',
  report: '203.0.113.80',
  monitor: '192.0.2.61',
};

/** Creates the account with its people, keys and webhooks. */
export async function foundMarlowAndFinch(installation: Installation): Promise<Company> {
  await installation.setClock('11-02 09:00');
  const id = await addPeople(installation);
  const keys = await createKeys(installation, id);
  await installation.setClock('11-06 09:20');
  const webhooks = await createWebhooks(installation, keys.backend);
  return { id, keys, webhooks };
}

async function addPeople({ person, worker }: Installation): Promise<string> {
  const { control, password } = worker;
  const accountId = await control.addAccount({
    name: 'Marlow & Finch',
    email: people.ada,
    password,
  });
  const members = [
    { email: people.nora, role: 'owner' },
    { email: people.ben, role: 'admin' },
    { email: people.ida, role: 'support' },
    { email: people.tom, role: 'viewer' },
  ];
  for (const member of members) await control.addMember({ accountId, password, ...member });
  await control.addSupporter({ email: people.priya, password });
  const names = {
    [people.ada]: 'Ada Marlow',
    [people.nora]: 'Nora Finch',
    [people.ben]: 'Ben Okafor',
    [people.ida]: 'Ida Lindqvist',
    [people.tom]: 'Tom Brandt',
    [people.priya]: 'Priya Nair',
  };
  for (const [email, name] of Object.entries(names)) {
    const call = await person(email, accountId);
    // Only the person who opened an account can do this.
    if (email === people.priya) {
      await call('POST', '/api/dashboard/support-visits', { reason: 'To say hello' });
    }
    await call('PATCH', '/api/dashboard/person', { name });
  }
  return accountId;
}

async function createKeys(
  { person, program, setClock }: Installation,
  accountId: string,
): Promise<Company['keys']> {
  const create = async (by: Call, key: object) => {
    const made = await by<Made>('POST', '/api/v1/api-keys', key);
    // Used once, as the person who received the token does to try it.
    await program(made.token, ips.backend)('GET', '/api/v1/api-key');
    return made;
  };
  const ada = await person(people.ada, accountId);
  const backend = await create(ada, { name: 'Production backend', type: 'full' });
  const bot = await create(ada, { name: 'Reply bot', type: 'bot' });
  const sync = await create(ada, {
    name: 'Order sync',
    type: 'limited',
    scopes: ['conversations:read', 'conversations:write'],
  });
  await setClock('11-05 13:40');
  const ben = await person(people.ben, accountId);
  const relay = await create(ben, { name: 'Event relay', type: 'webhook' });
  const report = await create(ben, {
    name: 'Weekly report',
    type: 'limited',
    scopes: ['conversations:read', 'audit-log:read'],
  });
  const laptop = await create(ben, { name: 'Ben’s laptop', type: 'full' });
  const monitor = await create(ben, {
    name: 'Webhook monitor',
    type: 'limited',
    scopes: ['webhooks:read', 'api-keys:read'],
    expires_at: timeOf('11-30 12:00').toISOString(),
  });
  return { backend, bot, sync, relay, report, laptop, monitor };
}

async function createWebhooks(
  { program, receivers }: Installation,
  { token }: Made,
): Promise<Company['webhooks']> {
  const call = program(token, ips.backend);
  const create = async (name: string, url: string, events: readonly string[]) => {
    const { uuid } = await call<Made>('POST', '/api/v1/webhooks', { name, url, events });
    await call('POST', `/api/v1/webhooks/${uuid}/regenerate-secret`, { grace_period_seconds: 0 });
    return uuid;
  };
  const { url } = receivers.working;
  const conversations = ['conversation.created', 'conversation.closed'];
  await create('Order notifier', `${url}/orders`, ['message.created']);
  return {
    analytics: await create('Analytics warehouse', `${url}/analytics`, [
      'message.created',
      ...conversations,
    ]),
    crm: await create('Old CRM', `${receivers.failing.url}/webhooks`, conversations),
    staging: await create('Staging copy', `${url}/staging`, ['message.created']),
  };
}
