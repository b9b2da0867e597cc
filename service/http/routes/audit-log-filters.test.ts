import { beforeAll, expect, test } from 'vitest';
import { hourMs } from '#lib/durations.ts';
import { recordAudit } from '../../domain/audit/record-audit.ts';
import { requestRotation } from '../../domain/rotation-requests/request-rotation.ts';
import { detailsOf, itemsOf, nextCursorOf } from '../../testing/api.ts';
import { useApi } from '../../testing/use-api.ts';

const { ctx, api, account, caller } = useApi();

const webhook = 'aaaaaaaa-0000-4000-8000-000000000001';
const key = 'bbbbbbbb-0000-4000-8000-000000000002';
const start = Date.parse('2026-11-20T12:00:00Z');

beforeAll(async () => {
  const ann = { kind: 'person', id: 'Ann', name: 'Ann' } as const;
  const bot = { kind: 'api_key', id: key, name: 'Bot' } as const;
  const system = { kind: 'system', id: null, name: 'System' } as const;
  const aWebhook = { kind: 'webhook', id: webhook, name: 'Orders' };
  const aKey = { kind: 'api_key', id: key, name: 'Bot' };
  const entries = [
    { by: ann, action: 'webhook.created', target: aWebhook, hours: 1 },
    { by: ann, action: 'api_key.rotated', target: aKey, hours: 2 },
    { by: bot, action: 'webhook.updated', target: aWebhook, hours: 3 },
    // Its transaction began before the entry above, and wrote after it.
    { by: system, action: 'webhook.deactivated', target: aWebhook, hours: 2.5 },
    { by: bot, action: 'api_key.updated', target: aKey, hours: 5 },
  ] as const;
  for (const { hours, ...entry } of entries) {
    await ctx.db.transaction((tx) =>
      recordAudit(tx, {
        accountId: account.id,
        origin: null,
        at: new Date(start + hours * hourMs),
        ...entry,
      }),
    );
  }
});

async function actionsOf(search: string): Promise<unknown[]> {
  const response = await caller.get(`/api/v1/audit-log?${search}`);
  expect(response.status).toBe(200);
  return itemsOf(response).map(({ action }) => action);
}

const timeOf = (hours: number) => new Date(start + hours * hourMs).toISOString();

test.each([
  ['actor=Ann', ['api_key.rotated', 'webhook.created']],
  [`actor=${key.toUpperCase()}`, ['api_key.updated', 'webhook.updated']],
  ['actor=system', ['webhook.deactivated']],
  ['actor=person', ['api_key.rotated', 'webhook.created', 'api_key.created']],
  ['actor=api_key', ['api_key.updated', 'webhook.updated']],
  ['actor=nobody', []],
  ['action=webhook.updated', ['webhook.updated']],
  ['action=webhook', ['webhook.deactivated', 'webhook.updated', 'webhook.created']],
  ['action=webhook.deleted', []],
  ['action=account', []],
  [`target=${webhook}`, ['webhook.deactivated', 'webhook.updated', 'webhook.created']],
  [`target=${webhook}&actor=Ann`, ['webhook.created']],
  [`target=${key}&action=api_key.updated`, ['api_key.updated']],
  [`since=${timeOf(2.5)}`, ['api_key.updated', 'webhook.deactivated', 'webhook.updated']],
  [`since=${timeOf(2)}&until=${timeOf(3)}`, ['webhook.deactivated', 'api_key.rotated']],
  [`since=${timeOf(2)}&until=${timeOf(3)}&action=api_key`, ['api_key.rotated']],
  [`since=${timeOf(6)}`, []],
  // As responses write times: the query string reads `+` as a space.
  ['since=2026-11-20T15:00:00.000+00:00', ['api_key.updated', 'webhook.updated']],
  ['since=2026-11-20T15:00:00.000%2B00:00', ['api_key.updated', 'webhook.updated']],
  ['since=2026-11-20T20:30:00.000+05:30', ['api_key.updated', 'webhook.updated']],
  [
    'since=0001-01-01T00:00:00Z&until=9999-12-31T23:59:59Z&action=webhook.created',
    ['webhook.created'],
  ],
])('the list under %s has what matches, newest first', async (search, expected) => {
  expect(await actionsOf(search)).toEqual(expected);
});

test('the entries about a key are also those about its rotation requests, and of no other key', async () => {
  const own = await api.account();
  const [owner, admin] = await Promise.all([own.member('owner'), own.member('admin')]);
  const [asked, other] = [await own.key(), await own.key()];
  for (const { id } of [asked, other]) {
    await requestRotation(ctx, owner, {
      apiKey: String(id),
      member: admin.personId,
      reason: 'lost',
      note: '',
    });
  }
  const path = `/api/v1/audit-log?target=${asked.uuid.toUpperCase()}`;
  const found = itemsOf(await api.call('GET', path, { token: asked.token }));
  expect(found.map(({ action }) => action)).toEqual([
    'rotation_request.created',
    'api_key.created',
  ]);
});

test('a cursor continues with the same filter, and returns every matching entry once', async () => {
  const seen: unknown[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const search = `action=webhook&limit=1${cursor && `&cursor=${cursor}`}`;
    const response = await caller.get(`/api/v1/audit-log?${search}`);
    seen.push(...itemsOf(response).map(({ action }) => action));
    cursor = nextCursorOf(response);
  }
  expect(seen).toEqual(['webhook.deactivated', 'webhook.updated', 'webhook.created']);
});

test('an action that no entry can have is refused with those that exist', async () => {
  const refusal = async (action: string) =>
    detailsOf(await caller.get(`/api/v1/audit-log?action=${action}`))['action'];
  expect(await refusal('nope')).toEqual([expect.stringContaining('api_key, rotation_request,')]);
  expect(await refusal('replay.nope')).toEqual([
    'Use one of: replay, replay.created, replay.cancelled.',
  ]);
});

test.each([
  'actor=',
  'actor=a%00b',
  'action=API',
  'action=a.b.c',
  'action=webh',
  'action=webhook.renamed',
  'target=',
  'since=today',
  'until=1',
])('the filter %s is refused with its name', async (search) => {
  const response = await caller.get(`/api/v1/audit-log?${search}`);
  expect(response.status).toBe(422);
  expect(response.body).toMatchObject({
    error: { details: { [search.split('=')[0] ?? '']: [expect.any(String)] } },
  });
});

test('an export has what the list has under the same filter, and counts it', async () => {
  const search = `action=webhook&since=${timeOf(2)}`;
  const listed = itemsOf(await caller.get(`/api/v1/audit-log?${search}`));
  // The entry about the export is written later than the entries that it contains.
  ctx.clock.advance(6 * hourMs);
  const response = await caller.get(`/api/v1/audit-log/export?${search}`);
  expect(response.headers.get('X-Total-Count')).toBe('2');
  const lines = response.text.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(listed);
  const [entry] = itemsOf(await caller.get('/api/v1/audit-log?action=audit_log.exported'));
  expect(entry).toMatchObject({ changes: { format: 'jsonl', entries: 2, action: 'webhook' } });
});
