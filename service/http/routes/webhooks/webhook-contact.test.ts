import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { dayMs, minuteMs } from '#lib/durations.ts';
import { lanes } from '../../../db/schema/webhooks/lanes.ts';
import {
  announceFailing,
  announceRecoveries,
  deactivateWebhook,
  lockForDeactivation,
  sendAnnounced,
  warnOfDeactivation,
} from '../../../domain/webhooks/deactivation/deactivate-webhook.ts';
import { dataOf, detailsOf, refusedFields } from '../../../testing/api.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, api, account, caller } = useApi({ accountFor: 'test' });

let contact: string;
beforeEach(() => {
  contact = `${crypto.randomUUID()}@example.com`;
});

async function create(body: object = {}) {
  const input = { name: 'Orders', url: 'https://orders.example.com/', all_events: true };
  return dataOf(
    await caller.post('/api/v1/webhooks', { ...input, contact_email: contact, ...body }),
  );
}

const patch = (id: number, body: object) => caller.patch(`/api/v1/webhooks/${id}`, body);
const mailsTo = (address: string) => ctx.mails.filter(({ to }) => to === address);
const kindsTo = (address: string) => mailsTo(address).map(({ subject }) => subject);

function newestToken(): string {
  const links = mailsTo(contact).filter(({ kind }) => kind === 'webhook.contact');
  return links.at(-1)?.action.url.split('#')[1] ?? '';
}

async function confirm(token = newestToken()) {
  return await api.call('POST', '/api/dashboard/webhook-contact/confirmation', {
    token: ctx.dashboardCredential,
    body: { contact_token: token },
  });
}

async function setLane(webhook: { id: number }, change: Partial<typeof lanes.$inferInsert>) {
  await ctx.db.update(lanes).set(change).where(eq(lanes.webhookId, webhook.id));
}

async function fail(webhook: { id: number }) {
  await setLane(webhook, { failureCount: 3, failingSince: ctx.clock.now() });
  await announceFailing(ctx);
  await announceFailing(ctx);
}

async function recover(webhook: { id: number }) {
  const failing = { failureCount: 0, failingSince: null };
  await setLane(webhook, { ...failing, recoveredAt: ctx.clock.now() });
  await announceRecoveries(ctx);
  await announceRecoveries(ctx);
}

describe('the contact of a webhook', () => {
  test('confirms its address first, with a link that works once and for 7 days', async () => {
    const webhook = await create();
    expect(webhook['contact']).toEqual({ email: contact, is_confirmed: false });
    expect(mailsTo(contact)).toMatchObject([
      {
        kind: 'webhook.contact',
        action: { url: expect.stringMatching(/\/confirm-contact#[\w-]+$/) },
      },
    ]);
    await fail(webhook);
    expect(mailsTo(contact), 'it is told nothing before').toHaveLength(1);

    const late = newestToken();
    ctx.clock.advance(7 * dayMs);
    expect(refusedFields(await confirm(late))).toEqual(['contact_token']);
    await patch(webhook.id, { contact_email: contact });
    const token = newestToken();
    expect(token).not.toBe(late);
    expect(dataOf(await confirm(token))).toEqual({ email: contact, webhook: 'Orders' });
    expect(detailsOf(await confirm(token))['contact_token']?.[0]).toMatch(/^This link was used/);
    const { data } = (await caller.get(`/api/v1/webhooks/${webhook.id}`)).body as { data: object };
    expect(data).toMatchObject({ contact: { email: contact, is_confirmed: true } });
    expect(JSON.stringify(data)).not.toContain(token);
  });

  test('is told of failing, of a warning, of the deactivation and that it works again, each once', async () => {
    const webhook = await create();
    await confirm();
    const sent = mailsTo(contact).length;
    await fail(webhook);
    ctx.clock.advance(3 * dayMs);
    await warnOfDeactivation(ctx);
    await warnOfDeactivation(ctx);
    const announced = await ctx.db.transaction(async (tx) => {
      const [locked] = await lockForDeactivation(tx, [webhook.id]);
      return locked && (await deactivateWebhook(ctx, { tx, webhook: locked, reason: 'failing' }));
    });
    if (announced) sendAnnounced(ctx, announced);
    await patch(webhook.id, { is_active: true });
    await recover(webhook);
    expect(kindsTo(contact).slice(sent)).toEqual([
      'The webhook "Orders" is failing',
      'The webhook "Orders" will be deactivated',
      'The webhook "Orders" was deactivated',
      'The webhook "Orders" works again',
    ]);
  });

  test('of a webhook that fails and works in turns gets at most one email of each kind a day', async () => {
    const webhook = await create();
    await confirm();
    const sent = mailsTo(contact).length;
    for (let turn = 0; turn < 3; turn += 1) {
      ctx.clock.advance(minuteMs);
      await fail(webhook);
      await recover(webhook);
    }
    expect(mailsTo(contact)).toHaveLength(sent + 2);
  });

  test('who is an owner gets each email once', async () => {
    const owner = await account.member('owner');
    const webhook = await create({ contact_email: owner.email.toUpperCase() });
    await confirm(mailsTo(owner.email).at(-1)?.action.url.split('#')[1]);
    await fail(webhook);
    expect(kindsTo(owner.email).filter((subject) => /is failing/.test(subject))).toHaveLength(1);
  });

  test('that is replaced or removed is told nothing any longer, and its link is void', async () => {
    const webhook = await create();
    const token = newestToken();
    const other = `other.${contact}`;
    await patch(webhook.id, { contact_email: other });
    expect(refusedFields(await confirm(token))).toEqual(['contact_token']);
    await patch(webhook.id, { contact_email: null });
    await fail(webhook);
    expect([...mailsTo(contact), ...mailsTo(other)]).toHaveLength(2);
  });

  test.each(['nobody', 'a@b@c', '', 7])('cannot be %j', async (email) => {
    const { id } = await create({ contact_email: null });
    expect(refusedFields(await patch(id, { contact_email: email }))).toEqual(['contact_email']);
  });

  test('can be given 20 times an hour in an account', async () => {
    const { id } = await create({ contact_email: null });
    for (let count = 1; count <= 20; count += 1) {
      expect((await patch(id, { contact_email: `a${count}@example.com` })).status).toBe(200);
    }
    expect((await patch(id, { contact_email: contact })).status).toBe(429);
    expect((await patch(id, { name: 'Still' })).status).toBe(200);
  });
});
