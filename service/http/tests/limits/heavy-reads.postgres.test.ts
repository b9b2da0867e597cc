import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { hourMs } from '#lib/durations.ts';
import { writeFollowCursor } from '../../../domain/cursor.ts';
import { recordHeartbeat } from '../../../domain/workers/record-heartbeat.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, api } = useApi({ engine: 'postgresql' });

test('while heavy reads of one account hang, calls of another get responses and heartbeats are written', async () => {
  const heavy = await readerOfWebhook();
  const { token } = await (await api.account()).key();
  const release = await holdTables();
  let answered = 0;
  const reads = heavy.inactive
    .map((webhook, index) => [
      heavy.statistics(),
      heavy.list(index),
      heavy.auditLog(),
      heavy.resume(webhook),
      heavy.replay({ since: hoursAgo(index + 1), dry_run: true }),
      heavy.replay({ since: hoursAgo(index + 1) }),
    ])
    .flat();
  for (const read of reads) void read.then(() => (answered += 1));

  expect((await api.call('GET', '/api/v1/conversations', { token })).status).toBe(200);
  const owner = crypto.randomUUID();
  await recordHeartbeat(ctx, { owner, deadAfterMs: 3000 });
  expect(await recordHeartbeat(ctx, { owner, deadAfterMs: 3000 })).toMatchObject({
    wasAliveBefore: true,
  });
  expect(answered, 'while they hang').toBe(0);

  await release();
  const statuses = (await Promise.all(reads)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 201]));
});

/** Blocks reads of deliveries, attempts and audit entries until the returned function is called. */
async function holdTables(): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const transaction = ctx.maintenanceDb.transaction(async (tx) => {
    await tx.execute(sql`lock table deliveries, attempts, audit_entries in access exclusive mode`);
    held.resolve();
    await released.promise;
  });
  await held.promise;
  const release = async () => {
    released.resolve();
    await transaction;
  };
  onTestFinished(release);
  return release;
}

const hoursAgo = (hours: number) =>
  new Date(ctx.clock.now().getTime() - hours * hourMs).toISOString();

async function readerOfWebhook() {
  const account = await api.account();
  const { token } = await account.key();
  const { id } = await account.webhook();
  const inactive: { id: number }[] = [];
  while (inactive.length < 12) inactive.push(await account.webhook({ isActive: false }));
  const path = `/api/v1/webhooks/${id}`;
  const follow = writeFollowCursor(`deliveries/${id}`, { from: '1:1:' });
  const rareFilters = [
    'type=api_key.expired',
    'status=cancelled',
    'retried=false',
    `follow=${follow}&status=failed`,
  ];
  return {
    inactive,
    /** Delivers the events that an inactive webhook missed. */
    resume: (webhook: { id: number }) =>
      api.call('PATCH', `/api/v1/webhooks/${webhook.id}`, {
        token,
        body: { is_active: true, backlog: 'deliver' },
      }),
    /** With filters that few deliveries may match, so that all of the webhook may be read. */
    list: (index: number) =>
      api.call('GET', `${path}/deliveries?${rareFilters[index % rareFilters.length] ?? ''}`, {
        token,
      }),
    /** With two filters that may have no entry in common. */
    auditLog: () =>
      api.call('GET', '/api/v1/audit-log?actor=system&action=webhook.updated', { token }),
    statistics: () => api.call('GET', `${path}/statistics?window=30d`, { token }),
    replay: (options: { since: string; dry_run?: boolean }) =>
      api.call('POST', `${path}/replays`, { token, body: { ...options, status: 'all' } }),
  };
}
