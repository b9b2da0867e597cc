import { eq } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { dayMs } from '#lib/durations.ts';
import { bootContext } from '../../../../boot/boot-context.ts';
import { accounts } from '../../../../db/schema/people/accounts.ts';
import { apiKeyTokens } from '../../../../db/schema/api-keys/api-key-tokens.ts';
import { conversations, messages } from '../../../../db/schema/conversations.ts';
import { events } from '../../../../db/schema/webhooks/events.ts';
import type { PersonActor } from '../../../../domain/actor.ts';
import { mailUnconfirmedTokens } from '../../../../domain/api-keys/rotation/mail-unconfirmed-tokens.ts';
import { createInvitation } from '../../../../domain/people/invitations/create-invitation.ts';
import { dataOf, detailsOf, TestApi } from '../../../../testing/api.ts';
import { useApi } from '../../../../testing/use-api.ts';
import { quickHashing } from '../../../../testing/quick-hashing.ts';
import { addMember, addPerson } from '../../../../testing/records/people.ts';
import { DeletableAccount, accountName } from '../../../../testing/http/deletable-account.ts';

const { ctx, api } = useApi();
let account: DeletableAccount;
let owner: PersonActor;

beforeEach(async () => {
  account = await DeletableAccount.add(api);
  owner = await account.member('owner');
});

/**
 * A token that is authenticated from the cache, as long as no notification of a change evicts its
 * key.
 */
async function letInBefore(): Promise<string> {
  const { id, token } = await account.key();
  // A first use would be announced, and the key read again.
  const usedBefore = { firstUsedAt: ctx.clock.now() };
  await ctx.db.update(apiKeyTokens).set(usedBefore).where(eq(apiKeyTokens.apiKeyId, id));
  expect((await api.as(token).get('/api/v1/api-key')).status).toBe(200);
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

describe('deleting an account', () => {
  test('is refused until its name is typed', async () => {
    expect(detailsOf(await account.delete('marlow'))).toEqual({
      name: [`Type the name of the account: ${accountName}`],
    });
    expect((await ctx.db.query.accounts.findFirst({ where: isIt() }))?.deletedAt).toBeNull();
  });

  test('says until when it can be restored, is audited once, and is emailed to every owner', async () => {
    const other = await addPerson(ctx, { name: 'Nora' });
    await addMember(ctx, { accountId: account.id, personId: other.id, role: 'owner' });
    await account.member('admin');
    await account.key();
    await account.webhook();
    const mailsBefore = ctx.mails.length;
    const erased_at = ctx.clock.apiTime(7 * dayMs);
    expect(dataOf(await account.delete(` ${accountName} `))).toEqual({ erased_at });
    expect(dataOf(await account.delete())).toEqual({ erased_at });
    expect(await account.audited()).toEqual([
      ['account.deleted', 'Ida owner', { erased_at, live_api_keys: 1, webhooks: 1 }],
    ]);
    const mails = ctx.mails.slice(mailsBefore);
    expect(new Set(mails.map(({ to }) => to))).toEqual(new Set([owner.email, other.email]));
    expect(mails).toHaveLength(2);
    expect(mails[0]?.subject).toBe(`The account "${accountName}" was deleted`);
    expect(mails[0]?.text).toContain('An owner can restore it until 27 Nov 2026,');
    expect(mails[0]?.text).toContain(`/a/${account.id}/settings/account`);
  });

  test('ends every key immediately, in every process, as a revocation does', async () => {
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
    await account.delete();
    expect(await statuses()).toEqual([401, 401]);
    const refused = await api.as(token).get('/api/v1/api-keys');
    const revoked = await api.as(`${token.slice(0, -1)}x`).get('/api/v1/api-keys');
    expect(refused.text).toBe(revoked.text);
    expect((await api.as(token).post(`/api/v1/api-keys/${id}/rotate`)).status).toBe(401);

    await account.restore();
    expect(await statuses()).toEqual([200, 200]);
    await other.usage.stop();
    await other.limiter.close();
  });

  test('lets no key or webhook be created by a key that was authenticated just before it', async () => {
    const token = await letInBefore();
    await deleteUnannounced();
    expect((await api.as(token).get('/api/v1/api-key')).status).toBe(200);
    for (const [to, body] of [
      ['api-keys', { name: 'New', type: 'bot' }],
      ['webhooks', { name: 'Hook', url: 'https://example.com/', events: ['message.created'] }],
    ] as const) {
      expect((await api.as(token).post(`/api/v1/${to}`, body)).status, to).toBe(401);
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

  test('hides it from everyone but its owners, who can only restore it', async () => {
    await account.webhook();
    await account.delete();
    for (const role of ['admin', 'support', 'viewer'] as const) {
      const colleague = await account.member(role);
      const elsewhere = await api.account();
      const membership = { accountId: elsewhere.id, personId: colleague.personId, role };
      await addMember(ctx, membership);
      for (const to of ['session', 'members', 'account']) {
        const response = await (await account.as(role)).get(`/api/dashboard/${to}`);
        expect([response.status, response.text]).toEqual([
          404,
          expect.stringContaining('This account is being deleted.'),
        ]);
      }
      const { accounts: listed } = dataOf<{ accounts: { id: string }[] }>(
        await api.as(colleague).get('/api/dashboard/session'),
      );
      expect(listed.map(({ id }) => id)).toEqual([elsewhere.id]);
      const choice = { account: account.id };
      const chosen = await api.as(colleague).post('/api/dashboard/session/account', choice);
      expect(chosen.status).toBe(404);
    }

    const erased_at = ctx.clock.apiTime(7 * dayMs);
    expect(dataOf(await (await account.as('owner')).get('/api/dashboard/session'))).toMatchObject({
      account: { id: account.id, erased_at },
      accounts: [{ id: account.id, erased_at }],
    });
  });

  test('signs out people without another account, and explains why at the sign-in', async () => {
    const password = 'correct horse battery';
    const passwordHash = await ctx.auth.hashPassword(password);
    const kim = await addPerson(ctx, { passwordHash });
    await addMember(ctx, { accountId: account.id, personId: kim.id, role: 'admin' });
    const actor = { personId: kim.id, pageOf: account.id };
    expect((await api.as(actor).get('/api/dashboard/session')).status).toBe(200);
    await account.delete();
    expect((await api.as(actor).get('/api/dashboard/session')).status).toBe(401);
    const body = { email: kim.email, password };
    const signIn = await api.asNobody().post('/api/dashboard/session', body);
    expect(detailsOf(signIn)).toEqual({
      email: [`The account ${accountName} is being deleted. Only its owners can still sign in.`],
    });
  });

  test('lets nobody accept an invitation to it', async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    const { link } = await createInvitation(ctx, owner, { email, role: 'viewer' });
    const body = { invitation_token: link?.split('#')[1] };
    const check = async () => await api.asNobody().post('/api/dashboard/invitations/check', body);
    expect((await check()).status).toBe(200);
    await account.delete();
    expect((await check()).status).toBe(422);
    await account.restore();
    expect((await check()).status).toBe(200);
  });

  test('sends no emails about its tokens while it is deleted', async () => {
    const { id } = await account.key();
    await (await account.as('owner')).post(`/api/v1/api-keys/${id}/rotate`);
    await account.delete();
    ctx.clock.advance(1.5 * dayMs);
    const before = ctx.mails.length;
    await mailUnconfirmedTokens(ctx);
    expect(ctx.mails).toHaveLength(before);
    await account.restore();
    ctx.forgetRecords();
    await mailUnconfirmedTokens(ctx);
    expect(ctx.mails.map(({ to }) => to)).toEqual([owner.email]);
  });
});

function isIt() {
  return eq(accounts.id, account.id);
}
