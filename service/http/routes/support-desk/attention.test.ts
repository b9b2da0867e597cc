import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Attention, AttentionItem } from '#lib/contract/support-desk/attention.ts';
import { dayMs, hourMs, minuteMs } from '#lib/durations.ts';
import { accounts } from '../../../db/schema/people/accounts.ts';
import { lanes } from '../../../db/schema/webhooks/lanes.ts';
import { webhooks } from '../../../db/schema/webhooks/webhooks.ts';
import { rotateApiKey } from '../../../domain/api-keys/rotation/rotate-api-key.ts';
import {
  createNotices,
  sendDueNotices,
  sendNotices,
} from '../../../domain/people/notices/notices.ts';
import { expireRotationRequests } from '../../../domain/rotation-requests/outcomes/record-request-end.ts';
import { lastFourOutsideIds } from '../../../testing/api-keys/tokens.ts';
import { dataOf, itemsOf } from '../../../testing/api.ts';
import { addAttempt, addDelivery, addEvent } from '../../../testing/records/deliveries.ts';
import { TestLog } from '../../../testing/logger.ts';
import { RecordingMailer } from '../../../testing/recording-mailer.ts';
import { addDeskSupporter, useDesk } from '../../../testing/http/test-desk.ts';

const { ctx, api, desk, account, supporter } = useDesk();
let mailer: RecordingMailer;
beforeEach(() => {
  mailer = new RecordingMailer(ctx.config);
});

/** What the desk lists of the account of the test, by urgency. */
async function listed(as: { personId: string } = supporter) {
  const response = await api.as(as).get('/api/dashboard/support-desk/attention');
  expect(response.status, response.text).toBe(200);
  const { now, today, this_week: thisWeek } = dataOf<Attention>(response);
  const own = ({ items }: { items: AttentionItem[] }) =>
    items.filter((item) => item.account.id === account.id);
  return { now: own(now), today: own(today), thisWeek: own(thisWeek) };
}

const nothing = { now: [], today: [], thisWeek: [] };

/** A webhook whose last attempts failed. */
async function failingWebhook({ since = ctx.clock.now(), failures = 3 } = {}) {
  const { id } = await account.webhook({
    name: `Hook ${desk.marker}`,
    url: 'https://hooks.example.com/services/T024?token=k3y',
  });
  const delivery = await addDelivery(ctx, await addEvent(ctx, account.id), { webhookId: id });
  await addAttempt(ctx, delivery, { statusCode: 200, startedAt: new Date(since.getTime() - 1) });
  await addAttempt(ctx, delivery, {
    statusCode: 503,
    startedAt: since,
    responseBody: 'The warehouse\n is being loaded.',
  });
  await ctx.db
    .update(lanes)
    .set({ failureCount: failures, failingSince: since })
    .where(eq(lanes.webhookId, id));
  return id;
}

async function deactivate(id: number, inactiveReason = 'failing') {
  await ctx.db
    .update(webhooks)
    .set({ isActive: false, inactiveSince: ctx.clock.now(), inactiveReason })
    .where(eq(webhooks.id, id));
}

async function request(
  key: { id: number },
  reason: 'lost' | 'leaked',
  { by = 'support' }: { by?: 'support' | 'admin' } = {},
) {
  const asker = await account.member(by);
  const { personId: member } = await account.member('owner');
  const path = `/api/dashboard/api-keys/${key.id}/rotation-requests`;
  const made = await api.as({ ...asker, pageOf: account.id }).post(path, { member, reason });
  expect(made.status, made.text).toBe(201);
  return dataOf<{ uuid: string }>(made).uuid;
}

const inMs = (ms: number) => new Date(ctx.clock.now().getTime() + ms).toISOString();

/** Emails a member of the account about something that happens now. */
async function email(personId: string): Promise<void> {
  const service = { ...ctx, mail: mailer };
  const notices = await ctx.db.transaction(
    async (tx) =>
      await createNotices(tx, {
        accountId: account.id,
        to: { personId },
        subjectId: crypto.randomUUID(),
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
  sendNotices(service, notices);
  await mailer.close();
}

describe('now, the desk lists', () => {
  test('a webhook from its third failed attempt on, or five minutes after the first, until one succeeds', async () => {
    const id = await failingWebhook({ failures: 2 });
    expect(await listed()).toEqual(nothing);
    ctx.clock.advance(5 * minuteMs);
    expect((await listed()).now).toMatchObject([
      { kind: 'webhook_failing', id, status_code: 503, host: 'hooks.example.com' },
    ]);
    await ctx.db
      .update(lanes)
      .set({ failureCount: 0, failingSince: null })
      .where(eq(lanes.webhookId, id));
    expect(await listed()).toEqual(nothing);
  });

  test('a webhook that was deactivated, while its events are kept, and none that was paused', async () => {
    const id = await failingWebhook();
    await deactivate(id, 'paused');
    expect(await listed()).toEqual(nothing);
    await deactivate(id);
    expect((await listed()).now).toMatchObject([{ kind: 'webhook_deactivated', id }]);
    ctx.clock.advance(ctx.config.retentionDays * dayMs);
    expect(await listed()).toEqual(nothing);
  });

  test('a report of a leak, also after its 72 hours, until no token works that existed then', async () => {
    const key = await account.key({ name: desk.marker });
    ctx.clock.advance(1);
    const uuid = await request(key, 'leaked');
    ctx.clock.advance(73 * hourMs);
    await expireRotationRequests(ctx);
    expect((await listed()).now).toMatchObject([
      { kind: 'leak_reported', request: uuid, target: { name: desk.marker } },
    ]);
    await rotateApiKey(ctx, await account.member('owner'), {
      apiKey: key.uuid,
      grace_period_seconds: 3600,
    });
    expect((await listed()).now).toHaveLength(1);
    ctx.clock.advance(hourMs);
    expect(await listed()).toEqual(nothing);
  });
});

describe('for today, the desk lists', () => {
  test('a request that nobody answered, for 72 hours', async () => {
    const key = await account.key({ name: desk.marker });
    await request(key, 'lost');
    expect((await listed()).today).toMatchObject([
      { kind: 'request_open', target: { kind: 'api_key', uuid: key.uuid } },
    ]);
    ctx.clock.advance(72 * hourMs);
    expect(await listed()).toEqual(nothing);
  });

  test('a key that expires within 24 hours, and for this week one that does within 7 days', async () => {
    const soon = await account.key({ name: 'Soon', expiresAt: inMs(8 * dayMs) });
    expect(await listed()).toEqual(nothing);
    ctx.clock.advance(dayMs);
    expect(await listed()).toMatchObject({ ...nothing, thisWeek: [{ uuid: soon.uuid }] });
    ctx.clock.advance(6 * dayMs);
    expect(await listed()).toMatchObject({ ...nothing, today: [{ uuid: soon.uuid }] });
    ctx.clock.advance(dayMs);
    expect(await listed(), 'once it has expired').toEqual(nothing);
  });

  test('a member whose address the mail server refuses, until it accepts an email to them', async () => {
    const admin = await account.member('admin');
    mailer.unknown = [admin.email];
    await email(admin.personId);
    expect((await listed()).today).toMatchObject([
      { kind: 'email_undeliverable', id: admin.personId, name: admin.personName },
    ]);
    mailer.unknown = [];
    await email(admin.personId);
    expect(await listed()).toEqual(nothing);
  });

  test('a member to whom an email was given up after two days', async () => {
    const admin = await account.member('admin');
    mailer.isRefusing = true;
    await email(admin.personId);
    expect(await listed()).toEqual(nothing);
    for (const minutes of [10, 30, 120, 480, 960, 1440, 10]) {
      ctx.clock.advance(minutes * minuteMs);
      await sendDueNotices({ ...ctx, log: new TestLog().logger, mail: mailer });
    }
    expect((await listed()).today).toMatchObject([{ id: admin.personId }]);
  });
});

describe('before a reason was given, an item has', () => {
  test('its account, kind, name, host, status code and time, and nothing else', async () => {
    const key = await account.key({ name: desk.marker, expiresAt: inMs(dayMs) });
    ctx.clock.advance(1);
    await request(key, 'lost', { by: 'admin' });
    await request(key, 'leaked');
    await failingWebhook();
    const admin = await account.member('admin');
    mailer.unknown = [admin.email];
    await email(admin.personId);
    const { now, today } = await listed();
    const all = [...now, ...today];
    expect(all.map(({ kind }) => kind)).toEqual([
      'leak_reported',
      'webhook_failing',
      'request_open',
      'key_expiring',
      'email_undeliverable',
    ]);
    expect(all.map(({ details }) => details)).toEqual(all.map(() => null));
    const shown = JSON.stringify(all);
    for (const hidden of ['T024', 'k3y', 'warehouse', admin.email, 'Mailbox']) {
      expect(shown).not.toContain(hidden);
    }
    expect(shown).not.toMatch(lastFourOutsideIds(key.lastFour));

    await desk.giveReason();
    expect(Object.values(await listed()).flat()).toMatchObject([
      { details: { asked: 'Ida owner', last_used_at: null } },
      // Support may not read what receivers wrote, unless an owner allows it.
      { details: { body_excerpt: null, waiting: 1 } },
      { details: { request: null, asked: null } },
      { details: { responsible: null } },
      { details: { email: admin.email, status_code: 550, reply: 'Mailbox unavailable' } },
    ]);
    expect(Object.values(await listed(admin)).flat()).toMatchObject([
      {},
      { details: { body_excerpt: 'The warehouse is being loaded.' } },
      { details: { request: expect.any(String), asked: 'Ida owner', reason: 'lost' } },
      {},
      {},
    ]);
  });

  test('no audit entry, and neither has one after', async () => {
    await failingWebhook();
    const { token } = await account.key({ name: 'Reads the log' });
    const actions = async () =>
      itemsOf(await api.as(token).get('/api/v1/audit-log')).map(({ action }) => action);
    const before = await actions();
    await listed();
    await desk.giveReason();
    await listed();
    expect(await actions()).toEqual(before);
  });
});

test('nothing is listed of an account that is closed to installation support, or to someone who belongs elsewhere', async () => {
  await failingWebhook();
  const stranger = await (await api.account()).member('owner');
  expect(await listed(stranger)).toEqual(nothing);
  expect((await listed()).now).toHaveLength(1);
  await ctx.db
    .update(accounts)
    .set({ allowsInstallationSupport: false })
    .where(eq(accounts.id, account.id));
  expect(await listed()).toEqual(nothing);
  expect((await listed(await account.member('viewer'))).now).toHaveLength(1);
});

test('viewers are shown no requests', async () => {
  const key = await account.key();
  ctx.clock.advance(1);
  await request(key, 'lost', { by: 'admin' });
  await request(key, 'leaked');
  expect(await listed(await account.member('viewer'))).toEqual(nothing);
});

test('of each kind the desk lists 50, and says how many there are', async () => {
  const other = await addDeskSupporter(ctx);
  for (let n = 0; n < 51; n += 1) await account.key({ expiresAt: inMs(2 * dayMs) });
  const response = await api.as(other).get('/api/dashboard/support-desk/attention');
  const { this_week: week } = dataOf<Attention>(response);
  expect(week.items).toHaveLength(50);
  expect(week.total).toBeGreaterThanOrEqual(51);
});
