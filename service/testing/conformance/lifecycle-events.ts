import { and, asc, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { eventPayloads } from '#lib/contract/events/events.ts';
import type { EventType } from '#lib/contract/events/events.ts';
import type { MailPreference } from '#lib/contract/people/mail-preference-table.ts';
import { dayMs, minuteMs } from '#lib/durations.ts';
import { announceExpiries } from '../../domain/api-keys/announce-expiries.ts';
import { revokeApiKey } from '../../domain/api-keys/revoke-api-key.ts';
import { updateApiKey } from '../../domain/api-keys/update-api-key.ts';
import {
  announceFailing,
  announceRecoveries,
  deactivateWebhook,
  lockForDeactivation,
} from '../../domain/webhooks/deactivation/deactivate-webhook.ts';
import { requestRotation } from '../../domain/rotation-requests/request-rotation.ts';
import { updateWebhook } from '../../domain/webhooks/update-webhook.ts';
import { attempts, deliveries } from '../../db/schema/webhooks/deliveries.ts';
import { events } from '../../db/schema/webhooks/events.ts';
import { lanes } from '../../db/schema/webhooks/lanes.ts';
import { people } from '../../db/schema/people/people.ts';
import type { OpenDatabase } from '../../db/open.ts';
import { addMember, addPerson } from '../records/people.ts';
import {
  eventually,
  publish,
  ScriptedReceivers,
  startTestWorker,
} from '../delivery/delivery-worker.ts';
import { useApi } from '../use-api.ts';

/** Events about keys and webhooks that happen because time passes. */
export function describeLifecycleEvents(engine: OpenDatabase['engine']): void {
  const { ctx, account } = useApi({ engine, accountFor: 'test' });

  const inDays = (days: number) => new Date(ctx.clock.now().getTime() + days * dayMs).toISOString();

  /** The account's published events, oldest first. */
  async function published() {
    const rows = await ctx.db
      .select()
      .from(events)
      .where(eq(events.accountId, account.id))
      .orderBy(asc(events.id));
    return rows.map(({ type, payload }) => {
      const { data } = JSON.parse(payload) as { data: Record<string, unknown> };
      expect(eventPayloads.get(type as EventType)?.parse(JSON.parse(payload))).toBeTruthy();
      return { type, data };
    });
  }

  const typesPublished = async () => (await published()).map(({ type }) => type);

  async function sentTo(webhook: { id: number }): Promise<string[]> {
    const rows = await ctx.db
      .select({ type: deliveries.eventType })
      .from(deliveries)
      .where(and(eq(deliveries.accountId, account.id), eq(deliveries.webhookId, webhook.id)))
      .orderBy(asc(deliveries.eventId));
    return rows.map(({ type }) => type);
  }

  describe(`on ${engine}, the expiry of a key`, () => {
    test('is announced once 7 days before, once 1 day before and once when it has come', async () => {
      const webhook = await account.webhook();
      const key = await account.key({ name: 'Returns portal', expiresAt: inDays(30) });
      await announceExpiries(ctx);
      expect(await published()).toEqual([]);
      ctx.clock.advance(23 * dayMs + 8000);
      await announceExpiries(ctx);
      await announceExpiries(ctx);
      ctx.clock.advance(6 * dayMs);
      await announceExpiries(ctx);
      ctx.clock.advance(dayMs);
      await announceExpiries(ctx);
      await announceExpiries(ctx);
      const named = {
        api_key: { id: key.id, uuid: key.uuid, name: 'Returns portal', type: 'full' },
      };
      expect(await published()).toMatchObject([
        { type: 'api_key.expiring', data: { ...named, expires_in: 7 * 86_400 - 8 } },
        { type: 'api_key.expiring', data: { ...named, expires_in: 86_400 - 8 } },
        { type: 'api_key.expired', data: named },
      ]);
      expect(await sentTo(webhook)).toEqual([
        'api_key.expiring',
        'api_key.expiring',
        'api_key.expired',
      ]);
    });

    test('is emailed to owners and admins once 7 days and once 1 day before', async () => {
      const owner = await account.member('owner');
      const admin = await account.member('admin');
      const support = await account.member('support');
      const key = await account.key({ name: 'Returns portal', expiresAt: inDays(8) });
      for (const days of [1, 0, 6, 1]) {
        ctx.clock.advance(days * dayMs);
        await announceExpiries(ctx);
      }
      const mailsTo = ({ email }: { email: string }) => ctx.mails.filter(({ to }) => to === email);
      for (const member of [owner, admin]) {
        expect(mailsTo(member).map(({ subject }) => subject)).toEqual([
          'The API key "Returns portal" expires within 7 days',
          'The API key "Returns portal" expires within a day',
        ]);
        expect(mailsTo(member)[0]?.text).toContain(`settings/api-keys/${key.id}`);
      }
      expect(mailsTo(support)).toEqual([]);
    });

    test('is announced once by many processes at the same time', async () => {
      await account.key({ expiresAt: inDays(8) });
      await account.key({ expiresAt: inDays(8) });
      ctx.clock.advance(dayMs);
      await Promise.all(Array.from({ length: 6 }, async () => await announceExpiries(ctx)));
      expect(await typesPublished()).toEqual(['api_key.expiring', 'api_key.expiring']);
    });

    test('that passed while the service was down is announced once, without the earlier announcements', async () => {
      await account.key({ expiresAt: inDays(30) });
      ctx.clock.advance(40 * dayMs);
      await announceExpiries(ctx);
      await announceExpiries(ctx);
      expect(await typesPublished()).toEqual(['api_key.expired']);
    });

    test('skips announcements whose time had already passed when it was set', async () => {
      await account.key({ expiresAt: inDays(3) });
      await announceExpiries(ctx);
      expect(await typesPublished()).toEqual([]);
      ctx.clock.advance(2 * dayMs);
      await announceExpiries(ctx);
      expect(await typesPublished()).toEqual(['api_key.expiring']);
    });

    test('moves with the expiry, and is not announced for a key that was revoked', async () => {
      const owner = await account.member('owner');
      const moved = await account.key({ expiresAt: inDays(8) });
      const revoked = await account.key({ expiresAt: inDays(8) });
      ctx.clock.advance(dayMs);
      await announceExpiries(ctx);
      expect(await typesPublished()).toHaveLength(2);
      await updateApiKey(ctx, owner, { apiKey: `${moved.id}`, expires_at: inDays(20) });
      await revokeApiKey(ctx, owner, { apiKey: `${revoked.id}`, reason: undefined });
      ctx.clock.advance(8 * dayMs);
      await announceExpiries(ctx);
      expect((await typesPublished()).slice(2)).toEqual(['api_key.revoked']);
      ctx.clock.advance(5 * dayMs);
      await announceExpiries(ctx);
      expect((await published()).at(-1)).toMatchObject({
        type: 'api_key.expiring',
        data: { api_key: { id: moved.id }, expires_in: 7 * 86_400 },
      });
    });

    test('is announced by the next process if one dies before its commit', async () => {
      await account.key({ expiresAt: inDays(8) });
      ctx.clock.advance(dayMs);
      const transaction: typeof ctx.db.transaction = async (act, config) =>
        await ctx.db.transaction(async (tx) => {
          await act(tx);
          throw new Error('the process died');
        }, config);
      const db = new Proxy(ctx.db, {
        get: (target, name) =>
          name === 'transaction' ? transaction : (Reflect.get(target, name) as unknown),
      });
      await announceExpiries({ ...ctx, db, log: ctx.silentLog });
      expect(await published()).toEqual([]);
      await announceExpiries(ctx);
      expect(await typesPublished()).toEqual(['api_key.expiring']);
    });
  });

  test(`on ${engine}, a key that is reported as leaked and revoked is announced in the same transactions, once`, async () => {
    const [webhook, plain] = [
      await account.webhook(),
      await account.webhook({ events: ['message.created'] }),
    ];
    const owner = await account.member('owner');
    const admin = await account.member('admin');
    const key = await account.key({ name: 'Returns portal' });
    const report = async () =>
      await requestRotation(ctx, owner, {
        apiKey: key.uuid,
        member: admin.personId,
        reason: 'leaked',
        note: undefined,
      });
    await report();
    await report();
    for (const reason of ['Leaked', 'Again']) {
      await revokeApiKey(ctx, owner, { apiKey: key.uuid, reason });
    }
    const named = { id: key.id, uuid: key.uuid, name: 'Returns portal', type: 'full' };
    expect(await published()).toMatchObject([
      { type: 'api_key.leak_reported', data: { api_key: named } },
      { type: 'api_key.revoked', data: { api_key: named, reason: 'Leaked' } },
    ]);
    expect(await sentTo(webhook)).toEqual(['api_key.leak_reported', 'api_key.revoked']);
    expect(await sentTo(plain)).toEqual([]);
  });

  describe(`on ${engine}, a webhook that begins to fail`, () => {
    async function fail(webhook: { id: number }, failureCount: number, since: Date) {
      await ctx.db
        .update(lanes)
        .set({ failureCount, failingSince: since })
        .where(eq(lanes.webhookId, webhook.id));
    }

    test.each([
      ['after the third failed attempt', { failures: 3, forMs: 10_000 }, true],
      ['not after the second', { failures: 2, forMs: 5 * minuteMs - 1 }, false],
      ['after five minutes', { failures: 1, forMs: 5 * minuteMs }, true],
    ])('is announced %s', async (_when, { failures, forMs }, isAnnounced) => {
      const webhook = await account.webhook();
      await fail(webhook, failures, new Date(ctx.clock.now().getTime() - forMs));
      await announceFailing(ctx);
      expect(await typesPublished()).toEqual(isAnnounced ? ['webhook.failing'] : []);
    });

    test('is announced once, even by many processes, and again after a success in between', async () => {
      const webhook = await account.webhook({ name: 'Orders' });
      const since = ctx.clock.now();
      await fail(webhook, 3, since);
      await Promise.all(Array.from({ length: 6 }, async () => await announceFailing(ctx)));
      ctx.clock.advance(minuteMs);
      await fail(webhook, 9, since);
      await announceFailing(ctx);
      expect(await published()).toMatchObject([
        { type: 'webhook.failing', data: { webhook: { id: webhook.id }, failure_count: 3 } },
      ]);
      await fail(webhook, 3, ctx.clock.now());
      await announceFailing(ctx);
      expect(await typesPublished()).toEqual(['webhook.failing', 'webhook.failing']);
    });

    test('is emailed to owners and admins at most once a day, unless they turned it off', async () => {
      const owner = await account.member('owner');
      const [admin, support] = [await account.member('admin'), await account.member('support')];
      const calm = await addPerson(ctx);
      await addMember(ctx, { accountId: account.id, personId: calm.id, role: 'admin' });
      const turnedOffMails: MailPreference[] = ['webhooks'];
      await ctx.db.update(people).set({ turnedOffMails }).where(eq(people.id, calm.id));
      const webhook = await account.webhook({ name: 'Orders' });
      const begin = async () => {
        await fail(webhook, 3, ctx.clock.now());
        await Promise.all(Array.from({ length: 6 }, async () => await announceFailing(ctx)));
      };
      const mailsTo = ({ email }: { email: string }) => ctx.mails.filter(({ to }) => to === email);
      await begin();
      for (const member of [owner, admin]) {
        expect(mailsTo(member)).toMatchObject([
          { kind: 'webhook.failing', subject: 'The webhook "Orders" is failing' },
        ]);
        expect(mailsTo(member)[0]?.action.url).toMatch(
          new RegExp(`/a/${account.id}/settings/webhooks/${webhook.id}$`),
        );
      }
      expect([...mailsTo(calm), ...mailsTo(support)]).toEqual([]);
      ctx.clock.advance(minuteMs);
      await begin();
      expect(mailsTo(owner)).toHaveLength(1);
      ctx.clock.advance(dayMs);
      await begin();
      expect(mailsTo(owner)).toHaveLength(2);
      expect(await typesPublished()).toHaveLength(3);
    });

    test('is announced once when it works again, after failing or a deactivation, and not otherwise', async () => {
      const webhook = await account.webhook({
        events: ['conversation.closed', 'webhook.recovered'],
      });
      const other = await account.webhook({
        events: ['webhook.failing', 'webhook.deactivated', 'webhook.recovered'],
      });
      const owner = await account.member('owner');
      const receivers = new ScriptedReceivers(ctx);
      const worker = startTestWorker({ ...ctx, db: ctx.workerDb }, { sender: receivers });
      const receive = async (status: 200 | 500) => {
        receivers.respondWith = ({ laneId }) => (laneId === webhook.id ? status : 200);
        const count = () => ctx.db.$count(attempts, eq(attempts.webhookId, webhook.id));
        const before = await count();
        await publish(ctx, owner);
        await eventually(count).toBe(before + 1);
        await Promise.all(Array.from({ length: 3 }, async () => await announceRecoveries(ctx)));
      };
      await receive(500);
      await receive(200);
      expect(await sentTo(other), 'one failure was not announced').toEqual([]);

      await fail(webhook, 3, ctx.clock.now());
      await announceFailing(ctx);
      await receive(500);
      await receive(200);
      await receive(200);
      expect(await sentTo(other)).toEqual(['webhook.failing', 'webhook.recovered']);

      await ctx.db.transaction(async (tx) => {
        const [locked] = await lockForDeactivation(tx, [webhook.id]);
        if (locked) await deactivateWebhook(ctx, { tx, webhook: locked, reason: 'gone' });
      });
      await updateWebhook(ctx, owner, { webhook: webhook.uuid, is_active: true });
      await announceRecoveries(ctx);
      expect(await sentTo(other)).toHaveLength(3);
      await receive(200);
      expect((await sentTo(other)).slice(2)).toEqual(['webhook.deactivated', 'webhook.recovered']);
      expect(await sentTo(webhook)).not.toContain('webhook.recovered');
      await worker.stop();
    });

    test('is announced to every other webhook, and never to itself', async () => {
      const failing = await account.webhook();
      const other = await account.webhook();
      const unsubscribed = await account.webhook({ events: ['message.created'] });
      await fail(failing, 3, ctx.clock.now());
      await announceFailing(ctx);
      await ctx.db.transaction(async (tx) => {
        const [webhook] = await lockForDeactivation(tx, [failing.id]);
        if (!webhook) throw new Error('there is no webhook');
        await deactivateWebhook(ctx, { tx, webhook, reason: 'gone' });
      });
      expect(await sentTo(failing)).toEqual([]);
      expect(await sentTo(unsubscribed)).toEqual([]);
      expect(await sentTo(other)).toEqual(['webhook.failing', 'webhook.deactivated']);
      expect((await published()).at(-1)?.data).toMatchObject({
        webhook: { id: failing.id },
        reason: 'gone',
      });
    });
  });
}
