import { getTableColumns, getTableName, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { dayMs } from '#lib/durations.ts';
import type { OpenDatabase } from '../../db/open.ts';
import { tables } from '../../db/schema/tables.ts';
import { startIncident } from '../../domain/api-keys/incident/start-incident.ts';
import { rotateApiKey } from '../../domain/api-keys/rotation/rotate-api-key.ts';
import { testWebhook } from '../../domain/deliveries/test-webhook.ts';
import {
  eraseDeletedAccounts,
  erasePeopleWithoutAccount,
} from '../../domain/erasure/erase-deleted-accounts.ts';
import { createNotices } from '../../domain/people/notices/notices.ts';
import { deleteAccount, restoreAccount } from '../../domain/people/accounts/delete-account.ts';
import { removeSupportAsOperator } from '../../domain/people/installation-support/support-as-operator.ts';
import { createInvitation } from '../../domain/people/invitations/create-invitation.ts';
import { removeMember } from '../../domain/people/members/remove-member.ts';
import { applyRetention } from '../../domain/retention/apply-retention.ts';
import { requestRotation } from '../../domain/rotation-requests/request-rotation.ts';
import { dataOf } from '../api.ts';
import type { TestAccount } from '../api.ts';
import { useApi } from '../use-api.ts';
import { History } from '../records/history.ts';
import { addMember, addPerson, addSupporter } from '../records/people.ts';
import { addSession } from '../sessions.ts';

const proceed = () => Promise.resolve(true);

/** What happens to a deleted account, on either database. */
export function describeErasure(engine: OpenDatabase['engine']): void {
  describe(`the erasure of deleted accounts on ${engine}`, { timeout: 60_000 }, () => {
    const { ctx, api, account, owner } = useApi({ engine, accountFor: 'test' });
    /** A person of installation support. */
    let visitor: { id: string };

    beforeEach(async () => {
      visitor = await addPerson(ctx);
    });

    async function deleteIt(): Promise<void> {
      await deleteAccount(ctx, owner, { name: 'Marlow & Finch' });
    }

    /** Erases accounts and people, like housekeeping. */
    async function runHousekeeping(rest = proceed): Promise<number> {
      const erased = await eraseDeletedAccounts(ctx, rest);
      await applyRetention(ctx, proceed);
      return erased;
    }

    test('leaves nothing of them in any table, and everything of other accounts', async () => {
      const kept = await api.account();
      for (const filled of [kept, account]) await fill(filled);
      const before = await rowsOf(kept.id);
      const empty = Object.entries(before).filter(([, count]) => count === 0);
      expect(empty).toEqual([]);
      expect(await rowsOf(account.id)).toEqual(before);

      await deleteIt();
      ctx.clock.advance(7 * dayMs + 600_000);
      expect(await runHousekeeping()).toBe(1);
      expect(new Set(Object.values(await rowsOf(account.id)))).toEqual(new Set([0]));
      expect(await rowsOf(kept.id)).toEqual(before);
      expect(await personExists(owner.personId)).toBe(false);
      expect(await personExists((await kept.member('owner')).personId)).toBe(true);
      expect(await runHousekeeping()).toBe(0);
    });

    test('begins after 7 days, when nobody can restore them any longer', async () => {
      await deleteIt();
      ctx.clock.advance(7 * dayMs - 1);
      expect(await runHousekeeping()).toBe(0);
      await restoreAccount(ctx, owner);
      ctx.clock.advance(dayMs);
      expect(await runHousekeeping()).toBe(0);
      expect((await rowsOf(account.id))['accounts']).toBe(1);
    });

    test('keeps a person who belongs to another account, with their session, or is installation support', async () => {
      const elsewhere = await api.account();
      const membership = { personId: owner.personId, role: 'viewer' } as const;
      await addMember(ctx, { accountId: elsewhere.id, ...membership });
      await addSession(ctx, { personId: owner.personId, chosenAccountId: account.id });
      const colleague = await addPerson(ctx);
      await addMember(ctx, { accountId: account.id, personId: colleague.id, role: 'viewer' });
      const supporter = await addPerson(ctx);
      await addMember(ctx, { accountId: account.id, personId: supporter.id, role: 'viewer' });
      const addedAt = ctx.clock.now();
      await ctx.db.insert(tables.installationSupport).values({ personId: supporter.id, addedAt });
      await deleteIt();
      ctx.clock.advance(8 * dayMs);
      expect(await runHousekeeping()).toBe(1);
      expect(await personExists(supporter.id)).toBe(true);
      expect(await personExists(owner.personId)).toBe(true);
      expect(await personExists(colleague.id)).toBe(false);
      const sessions = await ctx.db.query.sessions.findMany({
        where: (all, { eq }) => eq(all.personId, owner.personId),
      });
      expect(sessions).toMatchObject([{ chosenAccountId: null }]);
    });

    describe('of people who were removed from their last account', () => {
      const erase = async () => await erasePeopleWithoutAccount(ctx, proceed);

      /** A person who belonged to the account for this many days, until now. */
      async function removed(days = 1): Promise<{ id: string; email: string }> {
        const person = await addPerson(ctx);
        await addMember(ctx, { accountId: account.id, personId: person.id, role: 'support' });
        ctx.clock.advance(days * dayMs);
        await removeMember(ctx, owner, { member: person.id });
        return person;
      }

      test('begins 7 days later', async () => {
        const { id } = await removed(30);
        ctx.clock.advance(7 * dayMs);
        await erase();
        expect(await personExists(id)).toBe(true);
        ctx.clock.advance(600_000);
        await erase();
        expect(await personExists(id)).toBe(false);
        expect(await personExists(owner.personId)).toBe(true);
      });

      test('begins 7 days after the end of their installation support, if that was later', async () => {
        const { id, email } = await addPerson(ctx);
        await addSupporter(ctx, id);
        ctx.clock.advance(30 * dayMs);
        await removeSupportAsOperator(ctx, email);
        await erase();
        expect(await personExists(id)).toBe(true);
        ctx.clock.advance(8 * dayMs);
        await erase();
        expect(await personExists(id)).toBe(false);
      });

      test('keeps people who are members or installation support again, are invited, or are signed in', async () => {
        const [member, supporter] = [await removed(), await removed()];
        const [invited, signedIn] = [await removed(), await removed()];
        ctx.clock.advance(8 * dayMs);
        await addMember(ctx, { accountId: account.id, personId: member.id, role: 'viewer' });
        await addSupporter(ctx, supporter.id);
        await createInvitation(ctx, owner, { email: invited.email, role: 'viewer' });
        await addSession(ctx, { personId: signedIn.id });
        await erase();
        const kept = [member, supporter, invited, signedIn].map(({ id }) => personExists(id));
        expect(await Promise.all(kept)).toEqual([true, true, true, true]);
        ctx.clock.advance(30 * dayMs);
        await erase();
        const later = [member, supporter, invited, signedIn].map(({ id }) => personExists(id));
        expect(await Promise.all(later)).toEqual([true, true, false, false]);
      });

      test('waits while an account’s rotation requests name them, which is as long as its audit log is kept', async () => {
        const support = await account.member('support');
        const { id } = await account.key();
        const options = { member: owner.personId, reason: 'lost' } as const;
        await requestRotation(ctx, support, { apiKey: String(id), ...options });
        await removeMember(ctx, owner, { member: support.personId });
        ctx.clock.advance((ctx.config.auditRetentionDays - 1) * dayMs);
        await erase();
        expect(await personExists(support.personId)).toBe(true);
        ctx.clock.advance(2 * dayMs);
        await erase();
        expect(await personExists(support.personId)).toBe(false);
      });
    });

    test('processes at most 500 rows at a time, stops when asked to, and continues the next time', async () => {
      await new History(ctx, account.id).addEvents({ daysOld: 1, count: 1200 });
      await deleteIt();
      ctx.clock.advance(8 * dayMs);
      const counts: (number | undefined)[] = [];
      const eventsLeft = async () => (await rowsOf(account.id))['events'];
      expect(
        await eraseDeletedAccounts(ctx, async () => {
          counts.push(await eventsLeft());
          return counts.length < 2;
        }),
      ).toBe(0);
      expect(counts).toEqual([700, 200]);
      expect(await eraseDeletedAccounts(ctx, proceed)).toBe(1);
    });

    test('continues with the others if one cannot be erased, and names that one', async () => {
      await deleteIt();
      ctx.clock.advance(1000);
      const other = await api.account();
      await deleteAccount(ctx, await other.member('owner'), { name: 'Marlow & Finch' });
      ctx.clock.advance(8 * dayMs);
      let batches = 0;
      const maintenanceDb = new Proxy(ctx.maintenanceDb, {
        get(db, name) {
          if (name === 'transaction' && (batches += 1) === 1) throw new Error('refused');
          return Reflect.get(db, name) as unknown;
        },
      });
      ctx.expectErrors(/a deleted account could not be erased/);
      expect(await eraseDeletedAccounts({ ...ctx, maintenanceDb }, proceed)).toBe(1);
      expect((await rowsOf(account.id))['accounts']).toBe(1);
      expect((await rowsOf(other.id))['accounts']).toBe(0);
      expect(await eraseDeletedAccounts(ctx, proceed)).toBe(1);
    });

    test('happens once, however many processes begin it together', async () => {
      await fill(account);
      await deleteIt();
      ctx.clock.advance(8 * dayMs);
      const erased = await Promise.all([1, 2, 3].map(() => eraseDeletedAccounts(ctx, proceed)));
      erased.push(await eraseDeletedAccounts(ctx, proceed));
      expect(erased.reduce((sum, count) => sum + count)).toBe(1);
    });

    async function personExists(id: string): Promise<boolean> {
      const found = await ctx.db.query.people.findFirst({ where: (all, { eq }) => eq(all.id, id) });
      return found !== undefined;
    }

    /** How many rows of an account each table has. */
    async function rowsOf(accountId: string): Promise<Record<string, number>> {
      const counts: Record<string, number> = {};
      for (const table of Object.values(tables)) {
        const { accountId: column, id } = getTableColumns(table) as Record<string, PgColumn>;
        const named = getTableName(table) === 'accounts' ? id : column;
        if (named?.getSQLType() !== 'uuid') continue;
        counts[getTableName(table)] = await ctx.db.$count(table, sql`${named} = ${accountId}`);
      }
      return counts;
    }

    /** Adds rows of every kind to the account. */
    async function fill(filled: TestAccount): Promise<void> {
      const actor = await filled.member('owner');
      const admin = await filled.member('admin');
      const { id, token } = await filled.key();
      const options = { member: actor.personId, reason: 'lost' } as const;
      await requestRotation(ctx, admin, { apiKey: String(id), ...options });
      await ctx.db.insert(tables.eventStreams).values({
        accountId: filled.id,
        number: 1,
        uuid: crypto.randomUUID(),
        webhookId: 1,
        seenAt: ctx.clock.now(),
      });
      await ctx.db.insert(tables.supportVisits).values({
        accountId: filled.id,
        personId: visitor.id,
        reason: 'Ticket 4812',
        openedAt: ctx.clock.now(),
        endsAt: ctx.clock.now(),
      });
      const { uuid } = await filled.key();
      const incident = { act: 'rotate' as const, keys: [uuid] };
      const words = { reason: 'Laptop stolen', confirmation: 'rotate 1 key' };
      await startIncident(ctx, actor, { ...incident, ...words });
      const email = `${crypto.randomUUID()}@example.com`;
      await createInvitation(ctx, actor, { email, role: 'viewer' });
      await ctx.db.transaction(async (tx) => {
        await createNotices(tx, {
          accountId: filled.id,
          to: { personId: actor.personId },
          subjectId: String(id),
          occasion: 'first',
          now: ctx.clock.now(),
          mail: () => ({
            kind: 'webhook.failing',
            subject: 'The webhook "Orders" is failing',
            paragraphs: [],
            action: { label: 'Open', url: 'http://localhost:3000/' },
          }),
        });
      });
      const rotation = { apiKey: uuid, idempotencyKey: 'lost response' };
      for (let sent = 0; sent < 2; sent += 1) await rotateApiKey(ctx, actor, rotation);
      await api.call('GET', '/api/v1/nothing', { token });
      const conversation = await api.call('POST', '/api/v1/conversations', {
        token,
        body: { subject: 'Where is order 1042?' },
        headers: { 'Idempotency-Key': crypto.randomUUID() },
      });
      const { id: conversationId } = dataOf(conversation);
      await api.call('POST', `/api/v1/conversations/${conversationId}/messages`, {
        token,
        body: { author: 'agent', text: 'On its way.' },
      });
      await ctx.calls.flush();
      const history = new History(ctx, filled.id);
      const webhook = await filled.webhook({ headers: { 'X-Shop': 'north' } });
      await testWebhook(ctx, actor, { webhook: String(webhook.id), type: 'webhook.test' });
      const eventIds = await history.addEvents({ daysOld: 1, count: 2 });
      await history.addDeliveries({ webhookId: webhook.id, eventIds, attempts: 2 });
      const window = { since: history.daysAgo(2), until: history.daysAgo(1) };
      await history.addReplay({ webhookId: webhook.id, state: 'running', ...window });
    }
  });
}
