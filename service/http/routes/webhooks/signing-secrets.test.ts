import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { dayMs, hourMs, minuteMs } from '#lib/durations.ts';
import { members } from '../../../db/schema/people/members.ts';
import { webhookSecrets } from '../../../db/schema/webhooks/webhooks.ts';
import { mailUnconfirmedSecrets } from '../../../domain/webhooks/secret/mail-unconfirmed-secrets.ts';
import { dataOf, detailsOf } from '../../../testing/api.ts';
import type { ApiResponse, TestClient, TestMember } from '../../../testing/api.ts';
import { failingFirst } from '../../../testing/databases/failing-transactions.ts';
import { auditEntriesOf } from '../../../testing/records/audit-log.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, account, owner, admin, caller } = useApi({ accountFor: 'test' });
let webhook: { id: number; uuid: string };
const save = 'Save this secret now; it will not be shown again.';

beforeEach(async () => {
  webhook = await account.webhook({ name: 'Order notifier' });
});

describe('ending an older secret', () => {
  const end = async (uuid: string, by: TestClient = caller) =>
    await by.delete(`/api/v1/webhooks/${webhook.id}/secrets/${uuid}`);

  test('leaves only the newest to sign, is audited by its last four, and can be done once', async () => {
    const old = secretOf(await regenerate({ grace_period_seconds: 0 }));
    ctx.clock.advance(1000);
    const newest = secretOf(await regenerate());
    const { last_four: lastFour, older } = await secret();
    expect(lastFour).toBe(newest.slice(-4));
    expect(older).toEqual([
      {
        uuid: expect.any(String),
        last_four: old.slice(-4),
        created_at: ctx.clock.apiTime(-1000),
        valid_until: ctx.clock.apiTime(dayMs),
      },
    ]);
    const uuid = older[0]?.uuid ?? '';
    expect((await end(uuid)).status).toBe(204);
    expect(await secret()).toMatchObject({ last_four: lastFour, older: [] });
    expect((await auditEntriesOf(ctx, account.id)).at(-1)).toMatchObject({
      action: 'webhook.secret_ended',
      changes: { last_four: old.slice(-4) },
    });
    expect((await end(uuid)).status).toBe(404);
  });

  test('is refused for the newest one, for another webhook’s and for support', async () => {
    await regenerate();
    const [newest] = await ctx.db.query.webhookSecrets.findMany({
      where: (row, { eq: is, and, isNull }) =>
        and(is(row.webhookId, webhook.id), isNull(row.validUntil)),
    });
    expect((await end(newest?.uuid ?? '')).status).toBe(404);
    const { uuid } = (await secret()).older[0] ?? {};
    expect((await end(uuid ?? '', await account.member('support'))).status).toBe(403);
    webhook = await account.webhook();
    expect((await end(uuid ?? '')).status).toBe(404);
  });
});

test('a webhook whose secret cannot be read is listed, paused and gets a new secret', async () => {
  await ctx.db
    .update(webhookSecrets)
    .set({ sealed: Buffer.alloc(80, 1) })
    .where(eq(webhookSecrets.webhookId, webhook.id));
  expect((await caller.get('/api/v1/webhooks?include=state')).status).toBe(200);
  expect(await secret()).toMatchObject({ last_four: null });
  const path = `/api/v1/webhooks/${webhook.id}`;
  expect((await caller.patch(path, { is_active: false })).status).toBe(200);
  const made = secretOf(await regenerate({ grace_period_seconds: 0 }));
  expect(await secret()).toMatchObject({ last_four: made.slice(-4) });
});

describe('regenerating the secret', () => {
  test('for the first time shows a new secret, and the original one still signs', async () => {
    const [made] = await storedSecrets();
    const response = await regenerate();
    const until = ctx.clock.apiTime(dayMs);
    expect(messageOf(response)).toBe(
      `${save} The previous secret, which was never shown, also signs for 24 hours, until ${until}.`,
    );
    const secrets = await storedSecrets();
    expect(secrets).toEqual([
      [secretOf(response), null],
      [made?.[0], new Date(until)],
    ]);
    expect(await secret()).toMatchObject({
      created_at: ctx.clock.apiTime(),
      was_shown: true,
      previous_valid_until: until,
    });
    expect((await auditEntriesOf(ctx, account.id)).at(-1)?.changes).toEqual({
      last_four: secretOf(response).slice(-4),
      previous_last_four: made?.[0]?.slice(-4),
      previous_valid_until: until,
      previous_was_shown: false,
    });
  });

  test('with a grace period of 0 leaves only the new secret', async () => {
    const noGrace = { grace_period_seconds: 0 };
    const first = await regenerate(noGrace);
    expect(messageOf(first)).toBe(`${save} Deliveries are signed with it from now on.`);
    expect(await storedSecrets()).toEqual([[secretOf(first), null]]);
    const second = await regenerate(noGrace);
    expect(messageOf(second)).toContain('The old secret no longer signs.');
    expect(await storedSecrets()).toEqual([[secretOf(second), null]]);
    expect(await secret()).toMatchObject({ previous_valid_until: null });
  });

  test('lets the old secret sign for 24 hours more, or as long as asked, and says when an older one ends', async () => {
    await regenerate({ grace_period_seconds: 0 });
    ctx.clock.advance(1000);
    const response = await regenerate();
    const day = ctx.clock.apiTime(dayMs);
    expect(messageOf(response)).toBe(
      `${save} The old secret also signs for 24 hours, until ${day}.`,
    );
    ctx.clock.advance(1000);
    const short = await regenerate({ grace_period_seconds: 60 });
    const minute = ctx.clock.apiTime(minuteMs);
    expect(messageOf(short)).toBe(
      `${save} The old secret also signs for 1 minute, until ${minute}. An older secret signs until ${day}.`,
    );
    expect((await secret()).previous_valid_until).toBe(minute);
    ctx.clock.advance(minuteMs);
    expect((await secret()).previous_valid_until).toBe(day);
    ctx.clock.advance(dayMs);
    expect((await secret()).previous_valid_until).toBeNull();
  });

  test('never ends a secret before the time that was promised', async () => {
    await regenerate({ grace_period_seconds: 604_800 });
    const firstEnd = ctx.clock.apiTime(dayMs);
    for (let hour = 0; hour < 3; hour += 1) {
      expect((await regenerate()).status).toBe(201);
      ctx.clock.advance(hourMs);
    }
    const before = await storedSecrets();
    expect(detailsOf(await regenerate())).toEqual({
      webhook: [
        `4 secrets sign the deliveries of this webhook, the maximum. Try again when the first of the older ones ends, at ${firstEnd}. Or regenerate with a grace period of 0, which ends every older secret.`,
      ],
    });
    expect(await storedSecrets()).toEqual(before);
    ctx.clock.advance(21 * hourMs);
    expect((await regenerate()).status).toBe(201);
    expect((await regenerate({ grace_period_seconds: 0 })).status).toBe(201);
    expect(await storedSecrets()).toHaveLength(1);
  });

  test('changes nothing if the secret is not the one that the caller expected', async () => {
    const expecting = async (createdAt: string) =>
      await regenerate({ grace_period_seconds: 0, expected_created_at: createdAt });
    const first = ctx.clock.apiTime();
    ctx.clock.advance(1000);
    await regenerate({}, admin);
    const before = await storedSecrets();
    const current = ctx.clock.apiTime();
    ctx.clock.advance(1000);
    expect(detailsOf(await expecting(first))).toEqual({
      expected_created_at: [
        `The secret of this webhook was already regenerated at ${current} by Ida admin.`,
      ],
    });
    expect(await storedSecrets()).toEqual(before);
    expect((await expecting(current)).status).toBe(201);
  });

  test.each([
    ['a paused webhook', pause, 'is resumed'],
    ['a webhook whose set-up is not finished', setUp, 'is active'],
  ])('of %s says when deliveries will be signed', async (_, happen, when) => {
    await happen();
    expect(messageOf(await regenerate({ grace_period_seconds: 0 }, owner))).toBe(
      `${save} Deliveries will be signed with it once the webhook ${when}.`,
    );
  });
});

describe('a signing secret is unconfirmed', () => {
  test('when it was shown in the dashboard, and says to whom and when', async () => {
    expect(await secret()).toMatchObject({ was_shown: false, unconfirmed: null });
    await regenerate({}, admin);
    const shown = {
      since: ctx.clock.apiTime(),
      shown_to: { kind: 'person', id: admin.personId, name: admin.personName },
    };
    expect(await secret()).toMatchObject({ was_shown: true, unconfirmed: shown });
    expect((await caller.get('/api/v1/webhooks')).text).not.toContain('unconfirmed');
    const withState = await caller.get('/api/v1/webhooks?include=state');
    expect(withState.body).toMatchObject({ data: [{ secret: { unconfirmed: shown } }] });
    ctx.clock.advance(1);
    await regenerate();
    expect(await secret()).toMatchObject({ was_shown: true, unconfirmed: null });
    const rows = await ctx.db.query.webhookSecrets.findMany({
      where: eq(webhookSecrets.webhookId, webhook.id),
      orderBy: webhookSecrets.createdAt,
    });
    expect(rows.map(({ shownTo }) => shownTo)).toEqual([
      null,
      shown.shown_to,
      { kind: 'api_key', id: caller.uuid, name: 'Production server' },
    ]);
  });
});

describe('confirming a secret', () => {
  const confirm = async (by: TestMember, shown: ApiResponse) =>
    await send(by, { last_four: secretOf(shown).slice(-4) });
  const send = async (by: TestMember, body: object) =>
    await by.post(`/api/dashboard/webhooks/${webhook.id}/confirm-secret`, body);

  test('by the person to whom it was shown works, and is audited once', async () => {
    await regenerate({}, owner);
    const shown = await regenerate({}, admin);
    expect((await confirm(admin, shown)).status).toBe(204);
    expect((await confirm(admin, shown)).status).toBe(204);
    expect(await secret()).toMatchObject({ was_shown: true, unconfirmed: null });
    const entries = await auditEntriesOf(ctx, account.id);
    const ofWebhook = entries.filter(({ target }) => target.id === webhook.uuid);
    expect(ofWebhook.map(({ action }) => action)).toEqual([
      'webhook.created',
      'webhook.secret_generated',
      'webhook.secret_regenerated',
      'webhook.secret_confirmed',
    ]);
  });

  test('is possible with the time at which it was shown, for that secret alone', async () => {
    await regenerate({}, owner);
    const first = ctx.clock.apiTime();
    ctx.clock.advance(1);
    await regenerate({}, owner);
    const second = ctx.clock.apiTime();
    expect((await send(owner, { shown_at: first })).status).toBe(422);
    expect(await secret()).toMatchObject({ unconfirmed: { since: second } });
    expect((await send(owner, { shown_at: second })).status).toBe(204);
    expect(await secret()).toMatchObject({ unconfirmed: null });
    expect((await send(owner, {})).status).toBe(422);
  });

  test('is refused to anyone else, even an owner, and for a secret that was replaced since', async () => {
    const shown = await regenerate({}, admin);
    const response = await confirm(owner, shown);
    expect(response.status).toBe(403);
    expect(response.text).toContain('Only the person a secret was shown to can confirm it.');
    await regenerate({}, admin);
    expect(detailsOf(await confirm(admin, shown))).toEqual({
      webhook: ['The secret has been replaced.'],
    });
    expect((await secret()).unconfirmed).not.toBeNull();
  });

  test('or replacing it, or deleting its webhook, prevents the email of the next day', async () => {
    await confirm(owner, await regenerate({}, owner));
    webhook = await account.webhook();
    await regenerate({}, owner);
    await regenerate({}, caller);
    webhook = await account.webhook();
    await regenerate({}, owner);
    await caller.delete(`/api/v1/webhooks/${webhook.id}`);
    expect(await mailsAfter(dayMs)).toEqual([]);
  });
});

describe('a day after a secret was shown', () => {
  beforeEach(() => regenerate({}, owner));

  test('the person who was shown it gets one email', async () => {
    expect(await mailsAfter(dayMs - 1)).toEqual([]);
    await mailsAfter(1);
    const [mail, ...more] = await mailsAfter(0);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe('Signing secret not confirmed: webhook "Order notifier"');
    expect(mail?.text).toContain(`/a/${account.id}/settings/webhooks/${webhook.id}`);
    expect(mail?.text).toContain('Deliveries are signed with it');
  });

  test('of a webhook whose set-up is not finished, the email says that nothing is sent', async () => {
    await caller.delete(`/api/v1/webhooks/${webhook.id}`);
    await setUp();
    await regenerate({}, owner);
    expect((await mailsAfter(dayMs))[0]?.text).toContain('Nothing is sent to the webhook until');
  });

  test('of a paused webhook, the email says that deliveries will be signed with it', async () => {
    await pause();
    const text = (await mailsAfter(dayMs))[0]?.text;
    expect(text).toContain('Deliveries will be signed with it once the webhook is resumed.');
    expect(text).not.toContain('are signed');
  });

  test('a member who may no longer regenerate it is told whom to ask', async () => {
    const membership = eq(members.personId, owner.personId);
    await ctx.db.update(members).set({ role: 'viewer' }).where(membership);
    expect((await mailsAfter(dayMs))[0]?.text).toMatch(
      /no longer lets you confirm .+ Ask an owner or an admin\./,
    );
  });

  test('an email that cannot be sent delays no other, and follows later', async () => {
    // Emails about the secrets of earlier tests go first.
    expect(await mailsAfter(dayMs)).toHaveLength(1);
    for (let made = 0; made < 2; made += 1) {
      webhook = await account.webhook();
      await regenerate({}, owner);
    }
    ctx.clock.advance(dayMs);
    ctx.expectErrors(/^the email about an unconfirmed secret could not be sent yet$/);
    await mailUnconfirmedSecrets({ ...ctx, db: failingFirst(ctx.db, 1) });
    expect(ctx.mails.filter(({ to }) => to === owner.email)).toHaveLength(2);
    expect(await mailsAfter(0)).toHaveLength(3);
  });
});

async function regenerate(body: object = {}, by: TestClient = caller): Promise<ApiResponse> {
  return await by.post(`/api/v1/webhooks/${webhook.id}/regenerate-secret`, body);
}

function secretOf(response: ApiResponse): string {
  return String(dataOf(response)['secret']);
}

function messageOf(response: ApiResponse): unknown {
  return dataOf(response)['message'];
}

async function pause(): Promise<void> {
  await owner.patch(`/api/v1/webhooks/${webhook.id}`, { is_active: false });
}

async function setUp(): Promise<void> {
  webhook = await account.webhook({ isActive: false });
}

/** What the API says about the secret. */
async function secret(): Promise<Webhook['secret']> {
  return dataOf<Webhook>(await caller.get(`/api/v1/webhooks/${webhook.id}`)).secret;
}

/** The secrets that sign and until when, newest first. */
async function storedSecrets(): Promise<[string, Date | null][]> {
  const rows = await ctx.db.query.webhookSecrets.findMany({
    where: eq(webhookSecrets.webhookId, webhook.id),
    orderBy: (row, { desc, sql }) => [desc(sql`${row.validUntil} is null`), desc(row.createdAt)],
  });
  return rows.map(({ sealed, uuid, accountId, validUntil }) => [
    ctx.cipher.open(sealed, { table: 'webhook_secrets', uuid, accountId }),
    validUntil,
  ]);
}

/** The emails to the owner so far, after more time. */
async function mailsAfter(ms: number) {
  ctx.clock.advance(ms);
  await mailUnconfirmedSecrets(ctx);
  return ctx.mails.filter(({ to }) => to === owner.email);
}
