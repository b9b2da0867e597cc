import { beforeAll, expect, test } from 'vitest';
import type { Scope } from '#lib/contract/api-keys/scopes.ts';
import type { TestPerson } from '../../../testing/api.ts';
import { addAttempt, addDelivery, addEvent } from '../../../testing/records/deliveries.ts';
import { addVisit } from '../../../testing/records/people.ts';
import { addDeskSupporter } from '../../../testing/http/test-desk.ts';
import { useApi } from '../../../testing/use-api.ts';

const url = 'https://hooks.example.com:8443/services/T024?token=k3y';
const secretParts = /T024|k3y/;
const shortUrl = 'https://hooks.example.com:8443/…';

const { ctx, api, account } = useApi();
let paths: { webhooks: string[]; delivery: string; changes: string; audit: string[] };

beforeAll(async () => {
  const owner = api.as(await account.member('owner'));
  await owner.patch('/api/dashboard/account', { support: { error_texts: true } });
  await owner.patch('/api/dashboard/installation-support', { error_texts: true });
  const { id } = await account.webhook({ url });
  await owner.patch(`/api/v1/webhooks/${id}`, { url: `${url}2` });
  const event = await addEvent(ctx, account.id);
  const delivery = await addDelivery(ctx, event, { webhookId: id, status: 'failed' });
  await addAttempt(ctx, delivery, {
    url,
    statusCode: 308,
    responseHeaders: { location: `${url}/`, server: 'edge' },
  });
  paths = {
    webhooks: [
      '/api/v1/webhooks',
      '/api/v1/webhooks?include=state',
      `/api/v1/webhooks/${id}`,
      `/api/v1/webhooks/${id}/deliveries`,
    ],
    delivery: `/api/v1/deliveries/${delivery.id}`,
    changes: `/api/dashboard/webhooks/${id}/changes`,
    audit: ['/api/v1/audit-log', '/api/v1/audit-log/export?format=csv'],
  };
});

async function read(path: string, caller: string | TestPerson): Promise<string> {
  const response = await api.as(caller).get(path);
  expect(response.status, response.text).toBe(200);
  return response.text;
}

async function keyWith(...scopes: Scope[]): Promise<string> {
  return (await account.key({ scopes })).token;
}

test.each(['support', 'viewer', 'installation support'] as const)(
  'people who may not change webhooks see only the scheme and host of their URLs: %s',
  async (role) => {
    const caller = role === 'installation support' ? await visitor() : await account.member(role);
    // A viewer sees no changes.
    const changes = role === 'viewer' ? [] : [paths.changes];
    for (const path of [...paths.webhooks, paths.delivery, ...changes]) {
      expect(await read(path, caller), path).not.toMatch(secretParts);
    }
    expect(await read('/api/v1/webhooks', caller)).toContain(`"url":"${shortUrl}"`);
    const delivery = await read(paths.delivery, caller);
    expect(delivery).toContain(`"url":"${shortUrl}"`);
    expect(delivery, 'where a redirect points').toContain(`"redirects_to":"${shortUrl}"`);
    // Support may read what receivers wrote here; a viewer sees none of it.
    expect(delivery.includes(`"location":"${shortUrl}"`)).toBe(role !== 'viewer');
  },
);

async function visitor(): Promise<TestPerson> {
  const { personId } = await addDeskSupporter(ctx);
  await addVisit(ctx, { accountId: account.id, personId, sessionId: personId });
  return { personId, pageOf: account.id };
}

test('owners, admins and keys that read webhooks see whole URLs, also in deliveries and the audit log', async () => {
  const callers = [
    await account.member('owner'),
    await account.member('admin'),
    await keyWith('webhooks:read', 'events:read', 'audit-log:read'),
    await keyWith('webhooks:manage', 'events:read', 'audit-log:read'),
  ];
  for (const caller of callers) {
    expect(await read('/api/v1/webhooks', caller)).toContain(`${url}2`);
    expect(await read(paths.delivery, caller)).toContain(url);
    for (const path of paths.audit) expect(await read(path, caller)).toContain(`${url}2`);
  }
});

test('keys that may not read webhooks see only the scheme and host in deliveries and the audit log', async () => {
  const delivery = await read(paths.delivery, await keyWith('events:read'));
  expect(delivery).not.toMatch(secretParts);
  expect(delivery).toContain(shortUrl);
  const reader = await keyWith('audit-log:read');
  for (const path of paths.audit) {
    const log = await read(path, reader);
    expect(log).not.toMatch(secretParts);
    expect(log).toContain(shortUrl);
  }
});
