import { describe, expect, test } from 'vitest';
import type { OpenDatabase } from '../../db/open.ts';
import { LaneNotifier } from '../../domain/lanes/lane-notifier.ts';
import { deleteWebhook } from '../../domain/webhooks/delete-webhook.ts';
import { regenerateSecret } from '../../domain/webhooks/secret/regenerate-secret.ts';
import { updateWebhook } from '../../domain/webhooks/update-webhook.ts';
import { FailingDatabase, statementOf } from '../databases/failing-database.ts';
import {
  addWebhook,
  eventually,
  publish,
  untimed,
  withoutWorker,
} from '../delivery/delivery-worker.ts';
import { openDeliverySuite } from './delivery-suite.ts';

/** What happens to a lane that changes while a worker is claiming it, on either database. */
export function describeClaimInProgress(engine: OpenDatabase['engine']): void {
  describe.each([
    { publisher: 'the process of the worker', isApart: false, pattern: statementOf.claimOrWake },
    { publisher: 'another process', isApart: true, pattern: statementOf.claim },
  ])(
    `while an event of $publisher is being claimed on ${engine}`,
    { timeout: 60_000 },
    ({ isApart, pattern }) => {
      const suite = openDeliverySuite(engine);
      const { ctx, actor, work, statusesOf, isAsleep, laneOf } = suite;

      /**
       * Publishes an event, changes its webhook after the statement that claims it, and lets the
       * worker have the response once it was notified of the change.
       */
      async function changeDuringClaim(change: (webhook: string) => Promise<unknown>) {
        const webhook = await addWebhook(ctx, actor);
        const database = new FailingDatabase(ctx.db);
        const { db } = database;
        const own = {
          ...ctx,
          db,
          laneNotifier: new LaneNotifier({ ...ctx, db }),
        };
        work({ ctx: own, pace: untimed });
        // The worker accepts queued lanes once it has recorded a heartbeat, as a sent event shows.
        await publish(own, actor);
        await eventually(() => isAsleep(webhook)).toBe(true);

        const heard: string[] = [];
        own.notifier.subscribe('lanes', (message) => heard.push(message));
        const claim = database.holdBackOnce(pattern);
        await publish(isApart ? withoutWorker(own) : own, actor);
        await claim.reached;
        await change(String(webhook.id));
        // The worker hears what this subscription hears, in the same order.
        await own.notifier.publish('lanes', 'probe');
        await eventually(() => heard).toContain('probe');
        claim.letThrough();
        return { own, webhook };
      }

      test('a new URL is the one that is called', async () => {
        const url = 'https://new.example.com/';
        const { webhook } = await changeDuringClaim((id) =>
          updateWebhook(ctx, actor, { webhook: id, url }),
        );
        await eventually(() => isAsleep(webhook)).toBe(true);
        expect(suite.receivers.received[1]).toMatchObject({ url });
      });

      test('a new secret without a grace period signs the event alone', async () => {
        const { webhook } = await changeDuringClaim((id) =>
          regenerateSecret(ctx, actor, { webhook: id, grace_period_seconds: 0 }),
        );
        await eventually(() => isAsleep(webhook)).toBe(true);
        const [before, after] = suite.receivers.received.map(({ secrets }) =>
          secrets.map((secret) => secret.export().toString('hex')),
        );
        expect(after).toHaveLength(1);
        expect(after).not.toEqual(before);
      });

      test('a pause keeps the event until the webhook is resumed', async () => {
        const { webhook } = await changeDuringClaim((id) =>
          updateWebhook(ctx, actor, { webhook: id, is_active: false }),
        );
        await eventually(async () => (await laneOf(webhook)).owner).toBeNull();
        expect(await statusesOf(webhook)).toContain('pending');
        expect(suite.receivers.received).toHaveLength(1);
        await updateWebhook(ctx, actor, {
          webhook: String(webhook.id),
          is_active: true,
        });
        await eventually(() => isAsleep(webhook)).toBe(true);
        expect(suite.receivers.received).toHaveLength(2);
      });

      test('a deletion leaves the event unsent', async () => {
        const { own, webhook } = await changeDuringClaim((id) =>
          deleteWebhook(ctx, actor, { webhook: id }),
        );
        // Sent after everything that the worker had claimed before.
        await addWebhook(ctx, actor, { url: 'https://other.example.com/' });
        await publish(own, actor);
        await eventually(() => suite.receivers.received.at(-1)?.url).toContain('other');
        expect(suite.receivers.received).toHaveLength(2);
        expect(await statusesOf(webhook)).toEqual(['delivered', 'pending']);
      });
    },
  );
}
