import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { dayMs } from '#lib/durations.ts';
import { auditEntries } from '../../../db/schema/audit.ts';
import { members } from '../../../db/schema/people/members.ts';
import type { PersonActor } from '../../../domain/actor.ts';
import { mailUnconfirmedSecrets } from '../../../domain/webhooks/secret/mail-unconfirmed-secrets.ts';
import { dataOf, detailsOf } from '../../../testing/api.ts';
import type { ApiResponse } from '../../../testing/api.ts';
import { failingFirst } from '../../../testing/databases/failing-transactions.ts';
import { useApi } from '../../../testing/use-api.ts';

/** A signing secret that was shown in the dashboard and that nobody confirmed. */
const { ctx, api, account, owner, admin, caller } = useApi({ accountFor: 'test' });
let webhook: { id: number; uuid: string };

beforeEach(async () => {
  webhook = await account.webhook({ name: 'Order notifier' });
});

describe('a signing secret is unconfirmed', () => {
  test('when it was regenerated in the dashboard, and says to whom and when it was shown', async () => {
    await regenerate(admin);
    expect(await secret()).toMatchObject({
      was_shown: true,
      unconfirmed: {
        since: now(),
        shown_to: { kind: 'person', id: admin.personId, name: admin.personName },
      },
    });
  });

  test('never when nobody was shown it, or the API returned it', async () => {
    expect(await secret()).toMatchObject({ was_shown: false, unconfirmed: null });
    await caller.post(`/api/v1/webhooks/${webhook.id}/regenerate-secret`);
    expect(await secret()).toMatchObject({ was_shown: true, unconfirmed: null });
  });

  test('which the list shows only if asked for the state', async () => {
    await regenerate(owner);
    const items = await caller.get('/api/v1/webhooks');
    expect(items.text).not.toContain('unconfirmed');
    const withState = await caller.get('/api/v1/webhooks?include=state');
    expect(withState.body).toMatchObject({ data: [{ secret: { unconfirmed: { since: now() } } }] });
  });
});

describe('confirming a secret', () => {
  test('by the person to whom it was shown works, and is audited once', async () => {
    const shown = await regenerate(admin);
    expect((await confirm(admin, shown)).status).toBe(204);
    expect((await confirm(admin, shown)).status).toBe(204);
    expect(await secret()).toMatchObject({ was_shown: true, unconfirmed: null });
    expect(await auditedActions()).toEqual([
      'webhook.created',
      'webhook.secret_generated',
      'webhook.secret_confirmed',
    ]);
  });

  test('is audited as generated if it is the first that anybody was shown, and else as regenerated', async () => {
    await regenerate(admin);
    await regenerate(owner);
    expect(await auditedActions()).toEqual([
      'webhook.created',
      'webhook.secret_generated',
      'webhook.secret_regenerated',
    ]);
  });

  test('is possible with the time at which it was shown, for that secret alone', async () => {
    await regenerate(owner);
    const first = now();
    ctx.clock.advance(1);
    await regenerate(owner);
    const path = `/api/dashboard/webhooks/${webhook.id}/confirm-secret`;
    const shownAt = async (time: string) => (await owner.post(path, { shown_at: time })).status;
    expect(await shownAt(first)).toBe(422);
    expect(await secret()).toMatchObject({ unconfirmed: { since: now() } });
    expect(await shownAt(now())).toBe(204);
    expect(await secret()).toMatchObject({ unconfirmed: null });
    expect((await owner.post(path, {})).status).toBe(422);
  });

  test('is refused to anybody else, even an owner', async () => {
    const shown = await regenerate(admin);
    const response = await confirm(owner, shown);
    expect(response.status).toBe(403);
    expect(response.text).toContain('Only the person a secret was shown to can confirm having it.');
  });

  test('is refused for a secret that was replaced since', async () => {
    const shown = await regenerate(admin);
    await regenerate(admin);
    expect(detailsOf(await confirm(admin, shown))).toEqual({
      webhook: ['The secret has been replaced.'],
    });
    expect(await secret()).toMatchObject({ unconfirmed: { since: now() } });
  });

  test('is not for keys, viewers, other accounts, or without the last four characters', async () => {
    const shown = await regenerate(owner);
    const path = `/api/dashboard/webhooks/${webhook.id}/confirm-secret`;
    const body = { last_four: shown.slice(-4) };
    expect((await api.call('POST', path, { body })).status).toBe(401);
    expect((await caller.post(path, body)).status).not.toBe(204);
    expect((await confirm(await account.member('viewer'), shown)).status).toBe(403);
    const stranger = await (await api.account()).member('owner');
    expect((await confirm(stranger, shown)).status).toBe(404);
    expect((await confirm(owner, 'abc')).status).toBe(422);
    expect(await secret()).toMatchObject({ unconfirmed: { since: now() } });
  });
});

describe('the message of a regeneration', () => {
  test.each([
    ['a paused webhook', async () => await pause(), 'is resumed'],
    [
      'a webhook whose set-up is not finished',
      async () => {
        webhook = await account.webhook({ isActive: false });
      },
      'is active',
    ],
  ])('of %s says when deliveries will be signed', async (_, happen, when) => {
    await happen();
    const path = `/api/v1/webhooks/${webhook.id}/regenerate-secret`;
    const body = { grace_period_seconds: 0 };
    expect(dataOf(await owner.post(path, body))['message']).toBe(
      `Save this secret now; it will not be shown again. Deliveries will be signed with it once the webhook ${when}.`,
    );
  });
});

describe('a day later', () => {
  test('the person who was shown a secret gets one email', async () => {
    await regenerate(admin);
    ctx.clock.advance(dayMs - 1);
    await mailUnconfirmedSecrets(ctx);
    expect(mailsTo(admin)).toEqual([]);
    ctx.clock.advance(1);
    await mailUnconfirmedSecrets(ctx);
    await mailUnconfirmedSecrets(ctx);
    expect(mailsTo(admin)).toMatchObject([
      {
        subject: 'Nobody confirmed having the signing secret of the webhook "Order notifier"',
        text: expect.stringContaining(`/a/${account.id}/settings/webhooks/${webhook.id}`),
      },
    ]);
    expect(mailsTo(admin)[0]?.text).toContain('Deliveries are signed with it');
  });

  test('of a webhook whose set-up is not finished, the email says that nothing is sent', async () => {
    webhook = await account.webhook({ isActive: false });
    await regenerate(owner);
    ctx.clock.advance(dayMs);
    await mailUnconfirmedSecrets(ctx);
    expect(mailsTo(owner)[0]?.text).toContain('Nothing is sent to the webhook until');
  });

  test('of a paused webhook, the email says that deliveries will be signed with it', async () => {
    await regenerate(owner);
    await pause();
    ctx.clock.advance(dayMs);
    await mailUnconfirmedSecrets(ctx);
    const text = mailsTo(owner)[0]?.text;
    expect(text).toContain('Deliveries will be signed with it once the webhook is resumed.');
    expect(text).not.toContain('are signed');
  });

  test('a member who may no longer regenerate it is told whom to ask', async () => {
    await regenerate(owner);
    const membership = eq(members.personId, owner.personId);
    await ctx.db.update(members).set({ role: 'viewer' }).where(membership);
    ctx.clock.advance(dayMs);
    await mailUnconfirmedSecrets(ctx);
    expect(mailsTo(owner)[0]?.text).toMatch(
      /no longer lets you confirm .+ Ask an owner or an admin\./,
    );
  });

  test('if an email cannot be sent, those about other secrets are, and it follows later', async () => {
    // Emails about the secrets of earlier tests go first.
    ctx.clock.advance(dayMs);
    await mailUnconfirmedSecrets(ctx);
    await regenerate(owner);
    webhook = await account.webhook();
    await regenerate(owner);
    ctx.clock.advance(dayMs);
    ctx.expectErrors(/^the email about an unconfirmed secret could not be sent yet$/);
    await mailUnconfirmedSecrets({ ...ctx, db: failingFirst(ctx.db, 1) });
    expect(mailsTo(owner)).toHaveLength(1);
    await mailUnconfirmedSecrets(ctx);
    expect(mailsTo(owner)).toHaveLength(2);
  });

  test.each([
    ['it was confirmed', async (shown: string) => await confirm(owner, shown)],
    ['it was replaced', async () => await regenerate(admin)],
    ['its webhook was deleted', async () => await deleteWebhook()],
  ])('no email is sent if %s', async (_, happen) => {
    const shown = await regenerate(owner);
    await happen(shown);
    ctx.clock.advance(dayMs);
    await mailUnconfirmedSecrets(ctx);
    expect(mailsTo(owner)).toEqual([]);
  });
});

async function regenerate(by: PersonActor): Promise<string> {
  const path = `/api/v1/webhooks/${webhook.id}/regenerate-secret`;
  const response = await api.as(by).post(path);
  expect(response.status).toBe(201);
  return String(dataOf(response)['secret']);
}

async function confirm(by: PersonActor, shown: string): Promise<ApiResponse> {
  const path = `/api/dashboard/webhooks/${webhook.id}/confirm-secret`;
  return await api.as(by).post(path, { last_four: shown.slice(-4) });
}

async function pause(): Promise<void> {
  const path = `/api/v1/webhooks/${webhook.id}`;
  const response = await owner.patch(path, { is_active: false });
  expect(response.status).toBe(200);
}

async function deleteWebhook(): Promise<ApiResponse> {
  return await caller.delete(`/api/v1/webhooks/${webhook.id}`);
}

async function secret(): Promise<Webhook['secret']> {
  const response = await caller.get(`/api/v1/webhooks/${webhook.id}`);
  return dataOf<Webhook>(response).secret;
}

async function auditedActions(): Promise<string[]> {
  const entries = await ctx.db.query.auditEntries.findMany({
    where: eq(auditEntries.accountId, account.id),
    orderBy: (entry, { asc }) => asc(entry.id),
  });
  return entries.filter(({ target }) => target.id === webhook.uuid).map(({ action }) => action);
}

function mailsTo({ email }: PersonActor) {
  return ctx.mails.filter(({ to }) => to === email);
}

function now(): string {
  return ctx.clock.now().toISOString().replace('Z', '+00:00');
}
