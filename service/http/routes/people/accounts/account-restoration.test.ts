import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { dayMs } from '#lib/durations.ts';
import { lanes } from '../../../../db/schema/webhooks/lanes.ts';
import type { PersonActor } from '../../../../domain/actor.ts';
import { addMemberAsOperator } from '../../../../domain/people/members/operator/members-as-operator.ts';
import { advanceReplays } from '../../../../domain/replays/advance-replays.ts';
import { createReplay } from '../../../../domain/replays/create-replay.ts';
import { testWebhook } from '../../../../domain/deliveries/test-webhook.ts';
import { itemsOf } from '../../../../testing/api.ts';
import {
  eventually,
  passTime,
  publish,
  publishUnqueued,
  ScriptedReceivers,
  startTestWorker,
} from '../../../../testing/delivery/delivery-worker.ts';
import type { TestWorker } from '../../../../testing/delivery/delivery-worker.ts';
import { addMember } from '../../../../testing/records/people.ts';
import {
  DeletableAccount,
  accountName,
  deletionPath,
} from '../../../../testing/http/deletable-account.ts';
import { useApi } from '../../../../testing/use-api.ts';

const { ctx, api } = useApi();
let account: DeletableAccount;
let owner: PersonActor;

beforeEach(async () => {
  account = await DeletableAccount.add(api);
  owner = await account.member('owner');
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

    await account.delete();
    receivers.respondWith = () => 200;
    await passTime(ctx, dayMs);
    // An event that was just being published when the account was deleted.
    ctx.laneNotifier.queue(await publishUnqueued(ctx, owner));
    await ctx.laneNotifier.idle();
    expect(await lanesOf()).toEqual([true, true]);
    expect(receivers.received).toHaveLength(1);

    await account.restore();
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
      include_pending: false,
      include_earlier: false,
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
    await account.delete();
    ctx.clock.advance(60_000);
    await advanceReplays(ctx);
    expect(await done()).toBe('running');
    await account.restore();
    await advanceReplays(ctx);
    expect(await done()).toBe('done');
  });

  test('the time in which it was deleted does not count towards how long a webhook has been failing', async () => {
    const { id } = await account.webhook();
    const failingSince = new Date(ctx.clock.now().getTime() - 4 * dayMs);
    await ctx.db.update(lanes).set({ failingSince }).where(eq(lanes.webhookId, id));
    await account.delete();
    ctx.clock.advance(3 * dayMs);
    await account.restore();
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
          itemsOf(await (await account.as('admin')).get(`/api/v1/${what}`)),
        ),
      );
    await testWebhook(ctx, owner, { webhook: String(id), type: 'webhook.test' });
    const before = await shown();
    await account.delete();
    ctx.clock.advance(7 * dayMs - 1);
    ctx.forgetRecords();
    expect((await account.restore()).status).toBe(204);
    expect((await account.restore()).status).toBe(204);
    expect(await shown()).toEqual(before);
    expect(await account.audited()).toMatchObject([
      ['account.deleted', 'Ida owner', {}],
      ['account.restored', 'Ida owner', {}],
    ]);
    expect(ctx.mails.map(({ to, subject }) => [to, subject])).toEqual([
      [owner.email, `The account "${accountName}" was restored`],
    ]);
  });

  test('is impossible after 7 days, when its owners can no longer open it', async () => {
    await account.delete();
    ctx.clock.advance(7 * dayMs);
    expect((await account.restore()).status).toBe(401);
    const other = await api.account();
    await addMember(ctx, { accountId: other.id, personId: owner.personId, role: 'viewer' });
    expect((await account.restore()).status).toBe(404);
  });

  test('is possible for an owner whom an operator added', async () => {
    await account.delete();
    const email = `${crypto.randomUUID()}@example.com`;
    await addMemberAsOperator(ctx, { account: account.id, email, role: 'owner' });
    const person = await ctx.db.query.people.findFirst({
      where: (people, { eq: is }) => is(people.email, email),
    });
    const added = { personId: person?.id ?? '', pageOf: account.id };
    expect((await api.as(added).delete(deletionPath)).status).toBe(204);
  });
});
