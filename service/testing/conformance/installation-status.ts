import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { InstallationStatus } from '#lib/contract/support-desk/installation-status.ts';
import { dayMs, hourMs, minuteMs } from '#lib/durations.ts';
import { storeLastBackup, storeRestoredBackup } from '../../db/stored-settings.ts';
import type { OpenDatabase } from '../../db/open.ts';
import { processes, repairs } from '../../db/schema/installation.ts';
import { accounts } from '../../db/schema/people/accounts.ts';
import { notices } from '../../db/schema/people/notices.ts';
import { lanes, workers } from '../../db/schema/webhooks/lanes.ts';
import { startProcessHeartbeat } from '../../domain/installation/process-heartbeat.ts';
import { deleteOldRepairs } from '../../domain/installation/read-installation.ts';
import { claimLanes } from '../../domain/lanes/claim-lanes.ts';
import { freeLeasesOfSilentWorkers, sweepLanes } from '../../domain/lanes/recover-lanes.ts';
import { createNotices, sendDueNotices, sendNotices } from '../../domain/people/notices/notices.ts';
import { webhooks } from '../../db/schema/webhooks/webhooks.ts';
import { updateWebhook } from '../../domain/webhooks/update-webhook.ts';
import { version } from '../../version.ts';
import { dataOf, type TestAccount } from '../api.ts';
import { addWebhook, publish, publishUnqueued } from '../delivery/delivery-worker.ts';
import { addDeskSupporter } from '../http/test-desk.ts';
import { RecordingMailer } from '../recording-mailer.ts';
import { useApi } from '../use-api.ts';

/** What installation support is told of the installation, on either database. */
export function describeInstallationStatus(engine: OpenDatabase['engine']): void {
  const databaseUrl = engine === 'pglite' ? null : 'postgres://named-here-only';
  const {
    ctx,
    api,
    account,
    owner: actor,
  } = useApi({ engine, accountFor: 'test', config: { databaseUrl } });
  let supporter: { personId: string };
  let started: { stop(): Promise<void> }[] = [];
  beforeEach(async () => {
    supporter = await addDeskSupporter(ctx);
  });
  afterEach(async () => {
    await Promise.all(started.map((process) => process.stop()));
    started = [];
    await ctx.db.delete(processes);
    await ctx.db.delete(repairs);
    await ctx.db.delete(notices);
    await ctx.db.delete(workers);
    await ctx.db.delete(lanes);
  });

  async function status(as = supporter): Promise<InstallationStatus> {
    const path = '/api/dashboard/support-desk/installation-status';
    const response = await api.as(as).get(path);
    expect(response.status, response.text).toBe(200);
    return dataOf<InstallationStatus>(response);
  }

  /** Records a sign of life of a process; its timer never fires in a test. */
  async function start({
    roles = ['api'],
    ...self
  }: {
    host: string;
    pid?: number;
    version?: string;
    roles?: ('api' | 'worker' | 'web')[];
  }) {
    const service = { ...ctx, config: { ...ctx.config, roles: new Set(roles) } };
    const process = await startProcessHeartbeat(service, { everyMs: hourMs, ...self });
    started.push(process);
    return process;
  }

  const ago = (ms: number) => new Date(ctx.clock.now().getTime() - ms).toISOString().slice(0, -1);

  describe(`the status on ${engine}`, { timeout: 60_000 }, () => {
    test('names the version, and the engine, version and size of the database', async () => {
      const { version: found, database } = await status();
      expect(found).toBe(version);
      expect(database.version).toMatch(/^\d+(\.\d+)*$/);
      expect(database.size_bytes).toBeGreaterThan(1_000_000);
      if (engine === 'pglite') {
        expect(database).toMatchObject({ engine: 'embedded', connections: null });
        return;
      }
      const { service = 0, all = 0, max = 0 } = database.connections ?? {};
      expect(database.engine).toBe('postgresql');
      expect(service).toBeGreaterThan(0);
      expect(all).toBeGreaterThanOrEqual(service);
      expect(max).toBeGreaterThanOrEqual(all);
    });

    test('lists each process with its roles and version until it stops, and says which is silent', async () => {
      // Only one process can use the embedded database.
      const others =
        engine === 'pglite'
          ? []
          : [
              await start({ host: 'alpha', roles: ['api', 'web'], version: '0.0.9' }),
              await start({ host: 'beta', pid: 7, roles: ['worker'] }),
            ];
      ctx.clock.advance(minuteMs + 1);
      const own = await start({ host: 'gamma', pid: 8, roles: ['api', 'worker', 'web'] });
      const expected = [
        { host: 'alpha', roles: ['api', 'web'], version: '0.0.9', is_silent: true },
        { host: 'beta', pid: 7, roles: ['worker'], version, is_silent: true },
        {
          host: 'gamma',
          pid: 8,
          roles: ['api', 'worker', 'web'],
          started_at: `${ago(0)}+00:00`,
          seen_at: `${ago(0)}+00:00`,
          is_silent: false,
        },
      ];
      const { processes: found } = await status();
      expect(found).toMatchObject(others.length === 0 ? expected.slice(2) : expected);
      expect(found.at(-1)?.memory_bytes).toBeGreaterThan(1_000_000);
      await own.stop();
      for (const process of others) await process.stop();
      expect((await status()).processes).toEqual([]);
    });

    test('drops a process that was killed when another takes its place, or after a day', async () => {
      const hosts = async () => (await status()).processes.map(({ host }) => host);
      await start({ host: 'alpha' });
      if (engine === 'pglite') {
        await start({ host: 'beta' });
        expect(await hosts(), 'whose database it uses').toEqual(['beta']);
        return;
      }
      await start({ host: 'alpha', roles: ['worker'] });
      await start({ host: 'beta' });
      ctx.clock.advance(minuteMs + 1);
      await start({ host: 'alpha' });
      expect(await hosts(), 'the other roles and hosts stay').toEqual(['alpha', 'alpha', 'beta']);
      ctx.clock.advance(dayMs + 1);
      await start({ host: 'gamma' });
      expect(await hosts()).toEqual(['gamma']);
    });

    test('counts the webhooks that are due and for how long, and those that are failing', async () => {
      await publishUnqueued(ctx, actor);
      const webhook = await addWebhook(ctx, actor);
      await publish(ctx, actor);
      await ctx.laneNotifier.idle();
      ctx.clock.advance(90_000);
      await ctx.db
        .update(lanes)
        .set({ failingSince: ctx.clock.now(), failureCount: 1 })
        .where(eq(lanes.webhookId, webhook.id));
      expect((await status()).backlog).toEqual({
        due_webhooks: 1,
        oldest_due_seconds: 90,
        failing_webhooks: 1,
        held_deliveries: 0,
      });
    });

    test('counts deliveries that are held: of inactive webhooks and, after a restore, all', async () => {
      const paused = await addWebhook(ctx, actor);
      await addWebhook(ctx, actor);
      await publish(ctx, actor, 3);
      await updateWebhook(ctx, actor, { webhook: String(paused.id), is_active: false });
      expect((await status()).backlog.held_deliveries).toBe(3);
      expect(await status()).toMatchObject({ restored_backup_at: null });

      const made = ctx.clock.now();
      await ctx.db.transaction((tx) => storeRestoredBackup(tx, made.toISOString()));
      const restored = await status();
      expect(restored.restored_backup_at).toBe(`${ago(0)}+00:00`);
      expect(restored.backlog.held_deliveries).toBe(6);
    });

    test('says when the last backup was made', async () => {
      expect(await status()).toMatchObject({ last_backup_at: null });
      await storeLastBackup(ctx.db, ctx.clock.now());
      ctx.clock.advance(hourMs);
      expect(await status()).toMatchObject({ last_backup_at: `${ago(hourMs)}+00:00` });
    });

    test('counts emails that the mail server has not accepted for a minute, and those that are undeliverable', async () => {
      const mailer = new RecordingMailer(ctx.config);
      mailer.isRefusing = true;
      const service = { ...ctx, mail: mailer };
      const stored = await ctx.db.transaction((tx) =>
        createNotices(tx, {
          accountId: account.id,
          to: { role: 'owner' },
          subjectId: 'a webhook',
          occasion: 'now',
          now: ctx.clock.now(),
          mail: () => ({
            kind: 'webhook.failing',
            subject: 'Failing',
            paragraphs: [],
            action: { label: 'Open', url: 'https://example.com' },
          }),
        }),
      );
      sendNotices(service, stored);
      expect((await status()).emails).toMatchObject({ waiting: 0 });
      ctx.clock.advance(minuteMs);
      expect((await status()).emails).toEqual({
        waiting: 1,
        waiting_since: `${ago(minuteMs)}+00:00`,
        next_attempt_at: `${ago(-9 * minuteMs)}+00:00`,
        undeliverable: 0,
      });
      for (let hours = 0; hours < 60; hours += 1) {
        ctx.clock.advance(hourMs);
        ctx.expectErrors(/^an email was given up$/);
        await sendDueNotices(service);
      }
      expect((await status()).emails).toEqual({
        waiting: 0,
        waiting_since: null,
        next_attempt_at: null,
        undeliverable: 1,
      });
    });

    test('lists what was repaired after a process died, for 30 days, and nothing otherwise', async () => {
      await addWebhook(ctx, actor);
      await publishUnqueued(ctx, actor, 2);
      ctx.clock.advance(minuteMs);
      await sweepLanes(ctx);
      await sweepLanes(ctx);
      const missed = { kind: 'missed_wake_up', webhooks: 1, deliveries: 2 };
      expect((await status()).repairs).toEqual([{ at: `${ago(0)}+00:00`, ...missed }]);

      ctx.clock.advance(minuteMs);
      const owner = crypto.randomUUID();
      await claimLanes(ctx, { owner, leaseMs: hourMs, limit: 9, maxDeliveries: 9, bytes: 1 << 20 });
      await ctx.db.insert(workers).values({
        owner,
        startedAt: new Date(0),
        lastHeartbeatAt: new Date(0),
        steadySince: new Date(0),
      });
      for (let time = 0; time < 2; time += 1) {
        await freeLeasesOfSilentWorkers(ctx, { owners: [owner], deadAfterMs: 1000 });
      }
      expect((await status()).repairs).toMatchObject([
        { kind: 'silent_worker', webhooks: 1, deliveries: null },
        missed,
      ]);
      ctx.clock.advance(30 * dayMs);
      await deleteOldRepairs(ctx);
      expect((await status()).repairs).toHaveLength(1);
      ctx.clock.advance(1);
      await deleteOldRepairs(ctx);
      expect((await status()).repairs).toEqual([]);
    });

    test('names the accounts with the most failing webhooks that allow installation support, without a reason', async () => {
      const failing = async (of: TestAccount, failureCount: number) => {
        const { id } = await of.webhook();
        await ctx.db
          .update(lanes)
          .set({ failingSince: ctx.clock.now(), failureCount })
          .where(eq(lanes.webhookId, id));
        return id;
      };
      const closed = await api.account();
      await ctx.db
        .update(accounts)
        .set({ allowsInstallationSupport: false })
        .where(eq(accounts.id, closed.id));
      await failing(closed, 90);
      const other = await api.account();
      const gone = await failing(other, 50);
      await ctx.db
        .update(webhooks)
        .set({ isActive: false, inactiveSince: ctx.clock.now(), inactiveReason: 'gone' })
        .where(eq(webhooks.id, gone));
      await account.webhook();
      for (const failures of [2, 3, 40]) await failing(account, failures);
      const { items, total } = (await status()).failing_accounts;
      expect(items).toMatchObject([
        {
          account: { id: account.id, role: null, needs_reason: true },
          webhooks: 4,
          failing: 2,
          deactivated: 0,
          failed_attempts: 43,
        },
        {
          account: { id: other.id, needs_reason: true },
          webhooks: 1,
          failing: 0,
          deactivated: 1,
          failed_attempts: 0,
        },
      ]);
      expect(total).toBe(2);
    });
  });
}
