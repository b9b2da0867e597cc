import { inspect } from 'node:util';
import { eq } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { auditEntries } from '../../db/schema/audit.ts';
import { recordAudit } from '../../domain/audit/record-audit.ts';
import { TestApi, detailsOf, itemsOf } from '../../testing/api.ts';
import { logStatements } from '../../testing/databases/log-statements.ts';
import { withAuditChain } from '../../domain/audit/chain/append-entries.ts';
import { ApiListener } from '../../testing/http/api-listener.ts';
import { History } from '../../testing/records/history.ts';
import { useApi } from '../../testing/use-api.ts';

const path = '/api/v1/audit-log/export';

const { ctx, api, account, caller } = useApi({ accountFor: 'test' });

async function write(name: string): Promise<void> {
  await ctx.db.transaction((tx) =>
    recordAudit(tx, {
      accountId: account.id,
      by: { kind: 'person', id: 'p1', name },
      origin: { ip: '203.0.113.9', userAgent: '@client', requestId: 'r1' },
      action: 'account.updated',
      at: ctx.clock.now(),
      target: { kind: 'test', id: 't1', name: 'Say "hi", all' },
      changes: { name: { from: '=1', to: 'ü' } },
    }),
  );
}

describe('an export as JSON lines', () => {
  test('has the entries that the list has, newest first, and says how many', async () => {
    for (const name of ['Ann', 'Bob']) await write(name);
    const listed = itemsOf(await caller.get('/api/v1/audit-log'));
    const response = await caller.get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('application/jsonl; charset=utf-8');
    expect(response.headers.get('Content-Disposition')).toBe(
      'attachment; filename="audit-log-2026-11-20.jsonl"',
    );
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(response.headers.get('X-Total-Count')).toBe('3');
    const lines = response.text.split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(listed);
  });

  test('has each of thousands of entries once', async () => {
    await new History(ctx, account.id).addAuditEntries({ daysOld: 1, count: 2500 });
    const response = await caller.get(`${path}?format=jsonl`);
    const ids = response.text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: number }).id);
    expect(ids).toHaveLength(2501);
    expect(response.headers.get('X-Total-Count')).toBe('2501');
    expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => other - one));
  });

  test('has no entries that were written after it began', async () => {
    await new History(ctx, account.id).addAuditEntries({ daysOld: 1, count: 1500 });
    const response = await api.app.request(path, {
      headers: { Authorization: `Bearer ${caller.token}`, 'x-client-address': '203.0.113.7' },
    });
    await write('Late');
    expect((await response.text()).trimEnd().split('\n')).toHaveLength(1501);
  });
});

test('an export as CSV has a line for each entry, and no cell is a formula', async () => {
  await write('=HYPERLINK("http://example.com")');
  const response = await caller.get(`${path}?format=csv`);
  expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
  expect(response.headers.get('Content-Disposition')).toContain('.csv"');
  const [head, first, second, ...rest] = response.text.split('\r\n');
  expect(head).toBe(
    'id,at,actor_kind,actor_id,actor_name,action,target_kind,target_id,target_name,changes,ip,user_agent,request_id,is_chained',
  );
  expect(first).toMatch(
    /^\d+,2026-11-20T12:00:00\.000\+00:00,person,p1,"'=HYPERLINK\(""http:\/\/example\.com""\)",account\.updated,test,t1,"Say ""hi"", all","\{""name"":\{""to"":""ü"",""from"":""=1""\}\}",203\.0\.113\.9,'@client,r1,true$/,
  );
  expect(second).toContain(',api_key.created,');
  expect(rest).toEqual(['']);
});

test('an export as CSV begins with a byte order mark, without which Excel misreads names', async () => {
  const response = await api.app.request(`${path}?format=csv`, {
    headers: { Authorization: `Bearer ${caller.token}`, 'x-client-address': '203.0.113.7' },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(bytes.subarray(0, 5).toString('hex')).toBe(Buffer.from('\ufeffid').toString('hex'));
});

test('an export is an entry of the log, with who made it and in which format', async () => {
  const owner = await account.member('owner');
  await caller.get(`${path}?format=csv`);
  const [entry] = itemsOf(await caller.get('/api/v1/audit-log'));
  expect(entry).toMatchObject({
    actor: { kind: 'api_key' },
    action: 'audit_log.exported',
    target: { kind: 'audit_log', id: account.id },
    changes: { format: 'csv', entries: 1 },
    ip: '203.0.113.7',
  });
  expect(owner.accountId).toBe(account.id);
});

test.each(['actor', 'target'])(
  'a token as the filter %s is refused, so that the entry about the export does not keep it',
  async (filter) => {
    const refused = await caller.get(`${path}?${filter}=${caller.token}`);
    expect(refused.status).toBe(422);
    expect(Object.keys(detailsOf(refused))).toEqual([filter]);
    const log = await caller.get('/api/v1/audit-log');
    expect(refused.text + log.text).not.toContain(caller.token);
  },
);

test('reading stops when the client disconnects', async () => {
  await new History(ctx, account.id).addAuditEntries({ daysOld: 1, count: 5000 });
  const statements: string[] = [];
  const db = withAuditChain(logStatements(ctx.database, statements), ctx.auditKeys);
  const reads = () =>
    statements.filter((text) => text.includes('order by "audit_entries"."id" desc'));
  const response = await new TestApi({ ...ctx, db }).app.request(path, {
    headers: { Authorization: `Bearer ${caller.token}`, 'x-client-address': '203.0.113.7' },
  });
  const reader = response.body?.getReader();
  expect(reads(), 'nothing is read before someone takes it').toHaveLength(0);
  await reader?.read();
  await reader?.read();
  expect(reads()).toHaveLength(2);
  await reader?.cancel();
  expect(reads()).toHaveLength(2);
});

test('an export that the database interrupts ends as incomplete', async () => {
  await new History(ctx, account.id).addAuditEntries({ daysOld: 1, count: 1500 });
  const response = await api.app.request(path, {
    headers: { Authorization: `Bearer ${caller.token}`, 'x-client-address': '203.0.113.7' },
  });
  const reader = response.body?.getReader();
  await reader?.read();
  ctx.expectErrors(/^an export of the audit log broke off$/);
  const select = ctx.database.db.select.bind(ctx.database.db);
  Object.assign(ctx.database.db, {
    select() {
      throw new Error('gone');
    },
  });
  await expect(reader?.read()).rejects.toThrow('broke off');
  Object.assign(ctx.database.db, { select });
});

test('an export that the database interrupts leaves no statement or parameter on the console', async () => {
  const written = vi.spyOn(console, 'error').mockReturnValue();
  const select = ctx.db.select.bind(ctx.db) as (fields?: object) => unknown;
  const db = Object.create(ctx.db, {
    select: {
      value(fields?: object) {
        if (!fields || !('isOutsideChain' in fields)) return select(fields);
        throw new Error('Failed query: select … params: 7,private', { cause: new Error('gone') });
      },
    },
  }) as typeof ctx.db;
  const listener = new ApiListener();
  await listener.serve(ctx, new TestApi({ ...ctx, db }));
  ctx.expectErrors(/^an export of the audit log broke off$/);
  const headers = { Authorization: `Bearer ${caller.token}` };
  await expect(listener.ask({ method: 'GET', path, headers, body: null })).rejects.toThrow();
  await listener.close();
  expect(written).toHaveBeenCalledOnce();
  expect(inspect(written.mock.calls)).not.toMatch(/private|gone/);
});

test('HEAD is refused, and is no export', async () => {
  const refused = await api.call('HEAD', path, { token: caller.token });
  expect(refused.status).toBe(405);
  expect(refused.headers.get('Allow')).toBe('GET');
  expect((await api.call('HEAD', path)).status).toBe(401);
  const listed = itemsOf(await caller.get('/api/v1/audit-log'));
  expect(listed.map(({ action }) => action)).not.toContain('audit_log.exported');
});

test('an unknown format and the 21st export in an hour are refused', async () => {
  expect((await caller.get(`${path}?format=xlsx`)).status).toBe(422);
  for (let count = 1; count <= 20; count += 1) {
    expect((await caller.get(path)).status).toBe(200);
  }
  const refused = await caller.get(path);
  expect(refused.status).toBe(429);
  const seconds = Number(refused.headers.get('Retry-After'));
  expect(seconds).toBeGreaterThan(3000);
  expect(refused.headers.get('RateLimit-Policy')).toBe('"exports";q=20;w=3600');
  expect(refused.headers.get('RateLimit')).toBe(`"exports";r=0;t=${seconds}`);
  const exported = await ctx.db.query.auditEntries.findMany({
    where: eq(auditEntries.accountId, account.id),
  });
  expect(exported.filter(({ action }) => action === 'audit_log.exported')).toHaveLength(20);
});
