import { expect } from '@playwright/test';
import { timeOf } from '../installation.ts';
import type { Installation } from '../installation.ts';
import { ips, people } from './marlow-and-finch.ts';
import type { Company, Made } from './marlow-and-finch.ts';

/** What the account does with its keys and webhooks until this morning. */
export async function useKeysAndWebhooks(
  { person, program, setClock }: Installation,
  { id, keys, webhooks }: Company,
): Promise<void> {
  const { backend, bot, laptop, monitor, relay, report, sync } = keys;
  const use = async (time: string, { token }: { token: string }, ip: string) => {
    await setClock(time);
    await program(token, ip)('GET', '/api/v1/api-key');
  };
  const call = program(backend.token, ips.backend);

  await setClock('11-18 16:45');
  await call('PATCH', `/api/v1/webhooks/${webhooks.staging}`, { is_active: false });
  await setClock('11-19 08:12');
  const ben = await person(people.ben, id);
  await ben('DELETE', `/api/v1/api-keys/${laptop.uuid}`, { reason: 'The laptop was lost.' });
  await use('11-23 06:00', report, ips.report);
  await use('11-23 14:10', monitor, ips.monitor);
  // In its grace period: each delivery has a signature of the new secret and one of the old.
  await setClock('11-23 15:42');
  await call('POST', `/api/v1/webhooks/${webhooks.analytics}/regenerate-secret`);

  await setClock('11-24 08:05');
  const again = await person(people.ben, id);
  const rotated = await again<Made>('POST', `/api/v1/api-keys/${relay.uuid}/rotate`, {
    grace_period_seconds: 4 * 3600,
  });
  await use('11-24 09:31', sync, ips.relay);
  await use('11-24 10:06', rotated, ips.relay);
  // Not every server has the new token yet.
  await use('11-24 10:14', relay, ips.relay);
  await setClock('11-23 16:04');
  const nora = await person(people.nora, id);
  await nora('POST', '/api/dashboard/invitations', {
    email: 'lee@agency.example',
    role: 'support',
  });
  for (const [time, email] of lastVisits) {
    await setClock(time);
    await (
      await person(email, id)
    )('GET', '/api/v1/webhooks');
  }
  await use('11-24 10:18', backend, ips.backend);
  await use('11-24 10:19:15', bot, ips.bot);
}

const lastVisits = [
  ['11-09 15:02', people.tom],
  ['11-23 16:05', people.nora],
  ['11-24 09:44', people.ida],
  ['11-24 10:02', people.ben],
] as const;

/** Sends the events of this morning. One of the webhooks fails from 10:17 on. */
export async function sendDeliveries(
  { program, receivers, setClock }: Installation,
  { keys }: Company,
): Promise<void> {
  const call = program(keys.sync.token, ips.relay);
  const write = program(keys.bot.token, ips.bot);
  const { failing, working } = receivers;
  failing.respondWith({
    status: 500,
    headers: { Date: timeOf('11-24 10:17:06').toUTCString(), 'Content-Type': 'text/html' },
    body: '<h1>Internal Server Error</h1>',
  });

  await setClock('11-24 10:17');
  for (const subject of subjects) {
    const { id } = await call<{ id: number }>('POST', '/api/v1/conversations', {
      subject,
      contact: 'lena@example.com',
    });
    await write('POST', `/api/v1/conversations/${id}/messages`, {
      author: 'agent',
      text: 'It left our warehouse this morning.',
    });
    await call('POST', `/api/v1/conversations/${id}/close`);
  }
  await working.received(4 * subjects.length);
  await failing.received(2 * subjects.length);
  await setClock('11-24 10:17:06');
  await failing.received(4 * subjects.length);
  await setClock('11-24 10:18:40');
  const { id } = await call<{ id: number }>('POST', '/api/v1/conversations', {
    subject: 'Where is order 1042?',
  });
  await write('POST', `/api/v1/conversations/${id}/messages`, {
    author: 'contact',
    text: 'It was due on Monday.',
  });
  await working.received(4 * subjects.length + 3);
  expect(failing.requests.length).toBeGreaterThan(2 * subjects.length);
}

const subjects = [
  'The invoice has the old address',
  'Sign-in link does not arrive',
  'Can I change the delivery day?',
  'A part is missing',
  'How do I return a lamp?',
];
