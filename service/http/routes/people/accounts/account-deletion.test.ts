import { eq } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Role } from '#lib/contract/roles.ts';
import { dayMs } from '#lib/durations.ts';
import { bootContext } from '../../../../boot/boot-context.ts';
import { accounts } from '../../../../db/schema/people/accounts.ts';
import { apiKeyTokens } from '../../../../db/schema/api-keys/api-key-tokens.ts';
import { auditEntries } from '../../../../db/schema/audit.ts';
import { conversations, messages } from '../../../../db/schema/conversations.ts';
import { events } from '../../../../db/schema/webhooks/events.ts';
import { lanes } from '../../../../db/schema/webhooks/lanes.ts';
import type { PersonActor } from '../../../../domain/actor.ts';
import { mailUnconfirmedTokens } from '../../../../domain/api-keys/unconfirmed/mail-unconfirmed-tokens.ts';
import { createInvitation } from '../../../../domain/people/invitations/create-invitation.ts';
import { addMemberAsOperator } from '../../../../domain/people/members/operator/add-member-as-operator.ts';
import { advanceReplays } from '../../../../domain/replays/advance-replays.ts';
import { createReplay } from '../../../../domain/replays/create-replay.ts';
import { testWebhook } from '../../../../domain/deliveries/test-webhook.ts';
import { dataOf, detailsOf, itemsOf, TestApi } from '../../../../testing/api.ts';
import type { ApiResponse, TestAccount } from '../../../../testing/api.ts';
import { createTestContext } from '../../../../testing/context.ts';
import type { TestContext } from '../../../../testing/context.ts';
import {
  eventually,
  passTime,
  publish,
  publishUntouched,
  ScriptedReceivers,
  startTestWorker,
} from '../../../../testing/delivery/delivery-worker.ts';
import type { TestWorker } from '../../../../testing/delivery/delivery-worker.ts';
import { quickHashing } from '../../../../testing/quick-hashing.ts';
import { addMember, addPerson } from '../../../../testing/records/people.ts';
import { callAs, withSessionsById } from '../../../../testing/sessions.ts';

const path = '/api/dashboard/account/deletion';
const accountName = 'Marlow & Finch';

let base: TestContext;
let ctx: TestContext;
let api: TestApi;
let account: TestAccount;
let owner: PersonActor;

beforeAll(async () => {
  base = await createTestContext();
  ctx = withSessionsById(base);
  api = new TestApi(ctx);
});
afterAll(() => ctx.dispose());

beforeEach(async () => {
  account = await api.account();
  owner = await account.member('owner');
});

async function as(
  role: Role,
  request: [method: string, path: string, body?: unknown],
): Promise<ApiResponse> {
  return await callAs(api, { ...(await account.member(role)), pageOf: account.id }, request);
}

async function deleteIt(name = accountName, role: Role = 'owner'): Promise<ApiResponse> {
  return await as(role, ['POST', path, { name }]);
}

/**
 * A token that is authenticated from the cache, as long as no notification of a change evicts its
 * key.
 */
async function letInBefore(): Promise<string> {
  const { id, token } = await account.key();
  // A first use would be announced, and the key read again.
  const usedBefore = { firstUsedAt: ctx.clock.now() };
  await ctx.db.update(apiKeyTokens).set(usedBefore).where(eq(apiKeyTokens.apiKeyId, id));
  expect((await api.call('GET', '/api/v1/api-key', { token })).status).toBe(200);
  return token;
}

async function deleteUnannounced(): Promise<void> {
  await ctx.db.update(accounts).set({ deletedAt: ctx.clock.now() }).where(isIt());
}

async function countWritten(): Promise<number[]> {
  const ofAccount = ({ accountId }: { accountId: PgColumn }) => eq(accountId, account.id);
  return [
    await ctx.db.$count(conversations, ofAccount(conversations)),
    await ctx.db.$count(messages, ofAccount(messages)),
    await ctx.db.$count(events, ofAccount(events)),
  ];
}

async function restore(role: Role = 'owner'): Promise<ApiResponse> {
  return await as(role, ['DELETE', path]);
}

async function audited(): Promise<unknown[]> {
  const entries = await ctx.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.accountId, account.id))
    .orderBy(auditEntries.id);
  return entries
    .filter(({ target }) => target.kind === 'account')
    .map(({ action, actor, changes }) => [action, actor.name, changes]);
}

describe('deleting an account', () => {
  test('is possible for owners only, who type its name', async () => {
    for (const role of ['admin', 'support', 'viewer'] as const) {
      expect((await deleteIt(accountName, role)).status).toBe(403);
      expect((await restore(role)).status).toBe(403);
    }
    expect(detailsOf(await deleteIt('marlow'))).toEqual({
      name: [`Type the name of the account: ${accountName}`],
    });
    const { token } = await account.key();
    expect((await api.call('POST', path, { token, body: { name: accountName } })).status).toBe(403);
    expect((await ctx.db.query.accounts.findFirst({ where: isIt() }))?.deletedAt).toBeNull();
  });

  test('says until when it can be restored, is audited once, and is emailed to every owner', async () => {
    const other = await addPerson(ctx, { name: 'Nora' });
    await addMember(ctx, { accountId: account.id, personId: other.id, role: 'owner' });
    await account.member('admin');
    await account.key();
    await account.webhook();
    const mailsBefore = ctx.mails.length;
    const until = new Date(ctx.clock.now().getTime() + 7 * dayMs);
    const erased_at = until.toISOString().replace('Z', '+00:00');
    expect(dataOf(await deleteIt(` ${accountName} `))).toEqual({ erased_at });
    expect(dataOf(await deleteIt())).toEqual({ erased_at });
    expect(await audited()).toEqual([
      ['account.deleted', 'Ida owner', { erased_at, live_api_keys: 1, webhooks: 1 }],
    ]);
    const mails = ctx.mails.slice(mailsBefore);
    expect(new Set(mails.map(({ to }) => to))).toEqual(new Set([owner.email, other.email]));
    expect(mails).toHaveLength(2);
    expect(mails[0]?.subject).toBe(`The account "${accountName}" was deleted`);
    expect(mails[0]?.text).toContain('An owner can restore it until 27 Nov 2026,');
    expect(mails[0]?.text).toContain(`/a/${account.id}/settings/account`);
  });

  test('ends every key at once, in every process, as a revocation does', async () => {
    const { token, id } = await account.key();
    const other = await bootContext({
      config: ctx.config,
      database: ctx.database,
      clock: ctx.clock,
      log: ctx.log,
      passwords: quickHashing,
    });
    const processes = [api, new TestApi(other)];
    const statuses = async () =>
      await Promise.all(
        processes.map(async (one) => (await one.call('GET', '/api/v1/api-key', { token })).status),
      );
    expect(await statuses()).toEqual([200, 200]);
    await deleteIt();
    expect(await statuses()).toEqual([401, 401]);
    const refused = await api.call('GET', '/api/v1/api-keys', { token });
    const revoked = await api.call('GET', '/api/v1/api-keys', { token: `${token.slice(0, -1)}x` });
    expect(refused.text).toBe(revoked.text);
    expect((await api.call('POST', `/api/v1/api-keys/${id}/rotate`, { token })).status).toBe(401);

    await restore();
    expect(await statuses()).toEqual([200, 200]);
    await other.usage.stop();
    await other.limiter.close();
  });

  test('lets no key or webhook be created by a key that was authenticated just before it', async () => {
    const token = await letInBefore();
    await deleteUnannounced();
    expect((await api.call('GET', '/api/v1/api-key', { token })).status).toBe(200);
    for (const [to, body] of [
      ['api-keys', { name: 'New', type: 'bot' }],
      ['webhooks', { name: 'Hook', url: 'https://example.com/', events: ['message.created'] }],
    ] as const) {
      expect((await api.call('POST', `/api/v1/${to}`, { token, body })).status, to).toBe(401);
    }
  });

  test('lets no conversation or message be written by a key that was authenticated just before it', async () => {
    const token = await letInBefore();
    const call = async (method: string, to: string, body?: object, headers = {}) =>
      await api.call(method, `/api/v1/conversations${to}`, { token, body, headers });
    const { id } = dataOf(await call('POST', '', { subject: 'Order' }));
    const message = { author: 'contact', text: 'Hello' };
    expect((await call('POST', `/${String(id)}/messages`, message)).status).toBe(201);
    const written = await countWritten();

    await deleteUnannounced();
    for (const headers of [{}, { 'Idempotency-Key': 'once' }]) {
      const responses = [
        await call('POST', '', { subject: 'Order' }, headers),
        await call('POST', `/${String(id)}/messages`, message, headers),
        await call('POST', `/${String(id)}/close`, undefined, headers),
      ];
      expect(responses.map(({ status }) => status)).toEqual([404, 404, 404]);
    }
    expect(await countWritten()).toEqual(written);
  });

  test('hides it from everybody but its owners, who can only restore it', async () => {
    await account.webhook();
    await deleteIt();
    for (const role of ['admin', 'support', 'viewer'] as const) {
      const colleague = await account.member(role);
      const elsewhere = await api.account();
      const membership = { accountId: elsewhere.id, personId: colleague.personId, role };
      await addMember(ctx, membership);
      for (const to of ['session', 'members', 'account']) {
        const response = await as(role, ['GET', `/api/dashboard/${to}`]);
        expect([response.status, response.text]).toEqual([
          404,
          expect.stringContaining('This account is being deleted.'),
        ]);
      }
      const { accounts: listed } = dataOf(
        await callAs(api, colleague, ['GET', '/api/dashboard/session']),
      ) as unknown as { accounts: { id: string }[] };
      expect(listed.map(({ id }) => id)).toEqual([elsewhere.id]);
      const choice = { account: account.id };
      const choosing = ['POST', '/api/dashboard/session/account', choice] as const;
      expect((await callAs(api, colleague, [...choosing])).status).toBe(404);
    }

    const erased_at = new Date(ctx.clock.now().getTime() + 7 * dayMs)
      .toISOString()
      .replace('Z', '+00:00');
    expect(dataOf(await as('owner', ['GET', '/api/dashboard/session']))).toMatchObject({
      account: { id: account.id, erased_at },
      accounts: [{ id: account.id, erased_at }],
    });
    for (const request of [
      ['GET', '/api/v1/api-keys'],
      ['GET', '/api/v1/webhooks'],
      ['POST', '/api/v1/api-keys', { name: 'New', type: 'bot' }],
      ['GET', '/api/dashboard/members'],
      ['PATCH', '/api/dashboard/account', { name: 'Renamed' }],
    ] as const) {
      expect((await as('owner', [...request])).status, `${request[0]} ${request[1]}`).toBe(404);
    }
  });

  test('signs out people without another account, and explains why at the sign-in', async () => {
    const password = 'correct horse battery';
    const passwordHash = await ctx.auth.hashPassword(password);
    const kim = await addPerson(ctx, { passwordHash });
    await addMember(ctx, { accountId: account.id, personId: kim.id, role: 'admin' });
    const actor = { personId: kim.id, pageOf: account.id };
    expect((await callAs(api, actor, ['GET', '/api/dashboard/session'])).status).toBe(200);
    await deleteIt();
    expect((await callAs(api, actor, ['GET', '/api/dashboard/session'])).status).toBe(401);
    // Sessions in this test have the person's id as theirs, which no sign-in creates.
    const signIn = await new TestApi(base).call('POST', '/api/dashboard/session', {
      token: ctx.dashboardCredential,
      body: { email: kim.email, password },
    });
    expect(detailsOf(signIn)).toEqual({
      email: [`The account ${accountName} is being deleted. Only its owners can still sign in.`],
    });
  });

  test('lets nobody accept an invitation to it', async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    const { link } = await createInvitation(ctx, owner, { email, role: 'viewer' });
    const check = async () =>
      await api.call('POST', '/api/dashboard/invitations/check', {
        token: ctx.dashboardCredential,
        body: { invitation_token: link?.split('#')[1] },
      });
    expect((await check()).status).toBe(200);
    await deleteIt();
    expect((await check()).status).toBe(422);
    await restore();
    expect((await check()).status).toBe(200);
  });

  test('sends no emails about its tokens while it is deleted', async () => {
    const { id } = await account.key();
    await as('owner', ['POST', `/api/v1/api-keys/${id}/rotate`]);
    await deleteIt();
    ctx.clock.advance(1.5 * dayMs);
    const before = ctx.mails.length;
    await mailUnconfirmedTokens(ctx);
    expect(ctx.mails).toHaveLength(before);
    await restore();
    ctx.forgetRecords();
    await mailUnconfirmedTokens(ctx);
    expect(ctx.mails.map(({ to }) => to)).toEqual([owner.email]);
  });
});

describe('what is sent to its webhooks', () => {
  let receivers: ScriptedReceivers;
  let worker: TestWorker;

  beforeEach(() => {
    receivers = new ScriptedReceivers(ctx);
  });

  test('stops: pending deliveries wait, and continue once it is restored', async () => {
    const active = await account.webhook();
    const paused = await account.webhook({ isActive: false });
    receivers.respondWith = () => 503;
    worker = startTestWorker(ctx, { sender: receivers });
    await publish(ctx, owner);
    await eventually(() => receivers.received.length).toBe(1);
    await eventually(async () => (await pendingOf(active.id)).map(({ tries }) => tries)).toEqual([
      1,
    ]);

    await deleteIt();
    receivers.respondWith = () => 200;
    await passTime(ctx, dayMs);
    // An event that was just being published when the account was deleted.
    ctx.laneNotifier.offer(await publishUntouched(ctx, owner));
    await ctx.laneNotifier.idle();
    expect(await lanesOf()).toEqual([true, true]);
    expect(receivers.received).toHaveLength(1);

    await restore();
    await eventually(() => receivers.received.length).toBe(3);
    await eventually(() => pendingOf(active.id)).toEqual([]);
    expect(await lanesOf()).toEqual([false, true]);
    expect(paused.id).toBeGreaterThan(active.id);
    await worker.stop();
  });

  test('replays stop, and continue once it is restored', async () => {
    const { id } = await account.webhook();
    await publish(ctx, owner, 3);
    await createReplay(ctx, owner, {
      webhook: String(id),
      since: '2026-11-19T12:00:00Z',
      status: 'all',
      dry_run: false,
    });
    const replay = await ctx.db.query.replays.findFirst({
      where: (replays, { eq: is }) => is(replays.webhookId, id),
    });
    const done = async () =>
      (
        await ctx.db.query.replays.findFirst({
          where: (replays, { eq: is }) => is(replays.uuid, replay?.uuid ?? ''),
        })
      )?.state;
    await deleteIt();
    ctx.clock.advance(60_000);
    await advanceReplays(ctx);
    expect(await done()).toBe('running');
    await restore();
    await advanceReplays(ctx);
    expect(await done()).toBe('done');
  });

  test('the time in which it was deleted does not count towards how long a webhook has been failing', async () => {
    const { id } = await account.webhook();
    const failingSince = new Date(ctx.clock.now().getTime() - 4 * dayMs);
    await ctx.db.update(lanes).set({ failingSince }).where(eq(lanes.webhookId, id));
    await deleteIt();
    ctx.clock.advance(3 * dayMs);
    await restore();
    const lane = await ctx.db.query.lanes.findFirst({ where: eq(lanes.webhookId, id) });
    expect(lane?.failingSince).toEqual(new Date(failingSince.getTime() + 3 * dayMs));
  });

  async function pendingOf(webhookId: number) {
    return await ctx.db.query.deliveries.findMany({
      where: (deliveries, { and, eq: is }) =>
        and(is(deliveries.webhookId, webhookId), is(deliveries.status, 'pending')),
    });
  }

  /** Whether each lane of the account is paused, the oldest first. */
  async function lanesOf() {
    const rows = await ctx.db.query.lanes.findMany({
      where: (all, { eq: is }) => is(all.accountId, account.id),
      orderBy: (all) => all.webhookId,
    });
    return rows.map(({ isPaused }) => isPaused);
  }
});

describe('restoring an account', () => {
  test('brings back everything as it was, is audited, and is emailed to every owner', async () => {
    await account.key();
    const { id } = await account.webhook();
    await account.webhook({ isActive: false });
    const shown = async () =>
      await Promise.all(
        ['api-keys', 'webhooks', `webhooks/${id}/deliveries`].map(async (what) =>
          itemsOf(await as('admin', ['GET', `/api/v1/${what}`])),
        ),
      );
    await testWebhook(ctx, owner, { webhook: String(id), type: 'webhook.test' });
    const before = await shown();
    await deleteIt();
    ctx.clock.advance(7 * dayMs - 1);
    ctx.forgetRecords();
    expect((await restore()).status).toBe(204);
    expect((await restore()).status).toBe(204);
    expect(await shown()).toEqual(before);
    expect(await audited()).toMatchObject([
      ['account.deleted', 'Ida owner', {}],
      ['account.restored', 'Ida owner', {}],
    ]);
    expect(ctx.mails.map(({ to, subject }) => [to, subject])).toEqual([
      [owner.email, `The account "${accountName}" was restored`],
    ]);
  });

  test('is impossible after 7 days, when its owners can no longer open it', async () => {
    await deleteIt();
    ctx.clock.advance(7 * dayMs);
    expect((await restore()).status).toBe(401);
    const other = await api.account();
    await addMember(ctx, { accountId: other.id, personId: owner.personId, role: 'viewer' });
    expect((await restore()).status).toBe(404);
  });

  test('is possible for an owner whom an operator added', async () => {
    await deleteIt();
    const email = `${crypto.randomUUID()}@example.com`;
    await addMemberAsOperator(ctx, { account: account.id, email, role: 'owner' });
    const person = await ctx.db.query.people.findFirst({
      where: (people, { eq: is }) => is(people.email, email),
    });
    const added = { personId: person?.id ?? '', pageOf: account.id };
    expect((await callAs(api, added, ['DELETE', path])).status).toBe(204);
  });
});

function isIt() {
  return eq(accounts.id, account.id);
}
