import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OpenDatabase } from '../../db/open.ts';
import { deliveries } from '../../db/schema/webhooks/deliveries.ts';
import { lanes } from '../../db/schema/webhooks/lanes.ts';
import type { Worker } from '../../delivery/worker.ts';
import type { WorkerLimits } from '../../delivery/worker-pace.ts';
import type { PersonActor } from '../../domain/actor.ts';
import { claimLanes, takeDeliveries } from '../../domain/lanes/claim-lanes.ts';
import { TestApi } from '../api.ts';
import {
  ScriptedReceivers,
  addWebhook,
  eventually,
  publish,
  startTestWorker,
} from '../delivery/delivery-worker.ts';
import { useContext } from '../use-api.ts';

const slowWebhooks = 20;
/** How many other attempts may begin between a publication and its first attempt. */
const maxBefore = 2 * slowWebhooks;

/** The order in which deliveries of accounts begin while receivers are slow, on either database. */
export function describeFairness(engine: OpenDatabase['engine']): void {
  const ctx = useContext({ engine });
  let slow: PersonActor;
  let other: PersonActor;
  let receivers: ScriptedReceivers;
  let worker: Worker;
  /** Makes the slow receivers respond to the requests that they have received so far. */
  let respondSlowly: () => void;
  beforeEach(async () => {
    [slow, other] = [await newOwner(), await newOwner()];
    receivers = new ScriptedReceivers(ctx);
    let held = Promise.withResolvers<number>();
    respondSlowly = () => {
      held.resolve(200);
      held = Promise.withResolvers<number>();
    };
    receivers.respondWith = ({ url }) => (isSlow(url) ? held.promise : 200);
    receivers.durationMs = ({ url }) => (isSlow(url) ? 13_000 : 10);
    work({ sockets: 40 });
  });
  afterEach(async () => {
    const stopped = worker.stop();
    respondSlowly();
    await stopped;
    // Deliveries of one test must not be due in the next.
    await ctx.db.delete(deliveries);
    await ctx.db.update(lanes).set({ wakeAt: null, owner: null, isDirty: false });
  });

  function work(limits: Partial<WorkerLimits>): void {
    worker = startTestWorker(ctx, { sender: receivers, limits });
  }

  const isSlow = (url: string) => url.includes('/slow-');
  const newOwner = async () => await (await new TestApi(ctx).account()).member('owner');

  async function addSlowWebhooks(host: (number: number) => string): Promise<void> {
    for (let number = 1; number <= slowWebhooks; number += 1) {
      await addWebhook(ctx, slow, { url: `https://${host(number)}/slow-${number}` });
    }
  }

  /** How many attempts began between a publication and its first attempt under this path. */
  async function startsBefore(path: string, act: () => Promise<void>): Promise<number> {
    const from = receivers.received.length;
    await act();
    const since = () => receivers.received.slice(from).findIndex(({ url }) => url.endsWith(path));
    await eventually(since).not.toBe(-1);
    return since();
  }

  describe(`while slow receivers use all their sockets, on ${engine}`, { timeout: 60_000 }, () => {
    const saturated = async () => {
      await publish(ctx, slow, 10);
      await eventually(() => receivers.received.length).toBeGreaterThanOrEqual(20);
    };

    test.each<[string, (number: number) => string]>([
      ['its own host', (number) => `host-${number}.example.com`],
      ['their host', () => 'shared.example.com'],
    ])('a healthy webhook of another account starts immediately, on %s', async (_where, host) => {
      await addSlowWebhooks(host);
      await addWebhook(ctx, other, { url: 'https://shared.example.com/healthy' });
      await saturated();
      for (let count = 0; count < 20; count += 1) {
        const starts = await startsBefore('/healthy', () => publish(ctx, other));
        expect(starts).toBeLessThanOrEqual(maxBefore);
      }
    });

    test('a healthy webhook of the same account starts immediately too, on the same host', async () => {
      await addWebhook(ctx, slow, { url: 'https://shared.example.com/healthy' });
      await startsBefore('/healthy', () => publish(ctx, slow));
      await addSlowWebhooks(() => 'shared.example.com');
      await saturated();
      for (let count = 0; count < 20; count += 1) {
        const starts = await startsBefore('/healthy', () => publish(ctx, slow));
        expect(starts).toBeLessThanOrEqual(maxBefore);
      }
    });

    test('it does so for as long as the slow receivers keep responding', async () => {
      await addWebhook(ctx, slow, { url: 'https://shared.example.com/healthy' });
      await startsBefore('/healthy', () => publish(ctx, slow));
      await addSlowWebhooks(() => 'shared.example.com');
      for (let count = 0; count < 60; count += 1) {
        const starts = await startsBefore('/healthy', () => publish(ctx, slow));
        expect(starts).toBeLessThanOrEqual(maxBefore);
        if (count % 10 === 9) respondSlowly();
      }
    });
  });

  describe(`the deliveries that a worker holds, on ${engine}`, { timeout: 60_000 }, () => {
    test('are limited, and all arrive even if the limit is very low', async () => {
      await worker.stop();
      let [underWay, max] = [0, 0];
      const { promise: areTwo, resolve } = Promise.withResolvers<void>();
      receivers.respondWith = async () => {
        underWay += 1;
        max = Math.max(max, underWay);
        if (underWay === 2) resolve();
        await areTwo;
        await setImmediate();
        underWay -= 1;
        return 200;
      };
      for (const actor of [slow, slow, other]) await addWebhook(ctx, actor);
      await publish(ctx, slow, 30);
      await publish(ctx, other, 30);
      work({ sockets: 2, socketsPerOrigin: 2, bodyBytes: 128 * 1024 });
      await eventually(() => receivers.received.length).toBe(90);
      expect(max).toBe(2);
    });

    test('are limited by the bytes of their bodies for each lane, but to one at least', async () => {
      await worker.stop();
      await addWebhook(ctx, slow);
      await publish(ctx, slow, 5);
      const owner = crypto.randomUUID();
      const lease = { owner, leaseMs: 30_000, limit: 9 };
      const { lanes: claimed } = await claimLanes(ctx, { ...lease, maxDeliveries: 9, bytes: 1 });
      const [lane] = claimed;
      if (!lane) throw new Error('no lane was due');
      expect(lane.deliveries).toHaveLength(1);
      const bodyBytes = Buffer.byteLength(lane.deliveries[0]?.event?.payload ?? '');

      const take = async (options: { maxDeliveries: number; bytes: number }) => {
        const asked = { ...lane, after: null, heldIds: [], ...options };
        const [taken] = await takeDeliveries(ctx, { owner, lanes: [asked] });
        return taken?.deliveries.length;
      };
      expect(await take({ maxDeliveries: 9, bytes: bodyBytes * 2 })).toBe(2);
      expect(await take({ maxDeliveries: 9, bytes: bodyBytes * 2 + 1 })).toBe(3);
      expect(await take({ maxDeliveries: 9, bytes: bodyBytes * 9 })).toBe(5);
      expect(await take({ maxDeliveries: 4, bytes: bodyBytes * 9 })).toBe(4);
    });

    test('are not taken again', async () => {
      await worker.stop();
      await addWebhook(ctx, slow);
      await publish(ctx, slow, 5);
      const owner = crypto.randomUUID();
      const size = { maxDeliveries: 2, bytes: 1_000_000 };
      const { lanes: claimed } = await claimLanes(ctx, {
        owner,
        leaseMs: 30_000,
        limit: 9,
        ...size,
      });
      const [lane] = claimed;
      if (!lane) throw new Error('no lane was due');
      const heldIds = lane.deliveries.map(({ eventId }) => eventId);
      const asked = { ...lane, after: null, heldIds, ...size };
      const [taken] = await takeDeliveries(ctx, { owner, lanes: [asked] });
      const next = heldIds.map((eventId) => eventId + heldIds.length);
      expect(taken?.deliveries.map(({ eventId }) => eventId)).toEqual(next);
    });
  });

  test(`an account with many due lanes does not delay another account, on ${engine}`, async () => {
    await worker.stop();
    await addSlowWebhooks(() => 'shared.example.com');
    const { id } = await addWebhook(ctx, other);
    await publish(ctx, slow);
    ctx.clock.advance(1);
    await publish(ctx, other);
    const { lanes: claimed } = await claimLanes(ctx, {
      owner: crypto.randomUUID(),
      leaseMs: 30_000,
      limit: 2,
      maxDeliveries: 1,
      bytes: 1000,
    });
    expect(claimed.map(({ webhookId }) => webhookId)).toContain(id);
  });
}
