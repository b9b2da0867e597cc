import { randomBytes, randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../db/open.ts';
import type { OpenDatabase } from '../../db/open.ts';
import { workerPaces } from '../../delivery/worker-pace.ts';
import { newToken } from '../../domain/api-keys/token.ts';
import type { Environment } from '../../config/environment.ts';
import { createMigratedPostgres } from '../databases/postgres-database.ts';
import { DeliveryClient } from './delivery-client.ts';
import { isFullRun } from '../full-run.ts';
import { TestLog } from '../logger.ts';
import { after, respond, startReceiver } from '../delivery/receiver.ts';
import type { Receiver } from '../delivery/receiver.ts';
import { reachesLoopback } from '../delivery/sender.ts';
import { errorsIn, startService } from '../processes/service-process.ts';
import type { ServiceProcess } from '../processes/service-process.ts';

const kills = isFullRun ? 10 : 3;
const timeout = isFullRun ? 900_000 : 300_000;
/** Within this an event arrives of which nobody was told: a sweep's pace, and its patience. */
const repairedWithinMs = 15_000;

/** Within this after a dead worker was heard of last others have what it held. */
const freedWithinMs = 5000;

const diesBeforeTouch = new URL('../processes/preloads/dies-before-touch.ts', import.meta.url);

/** Deliveries that nobody was told of are looked for every ten seconds; in the short form, twice a second. */
const sweeps = isFullRun ? [] : [new URL('../processes/preloads/quick-sweeps.ts', import.meta.url)];

/**
 * What becomes of deliveries when the processes that make them die, whichever engine it is.
 * @param died while it sends, or before anybody was told of them; on a server also: it only froze
 */
export function describeDeliveryDurability(
  engine: OpenDatabase['engine'],
  died: 'sending' | 'silently',
): void {
  const log = new TestLog();
  const token = newToken();
  let storage: Storage;
  let receiver: Receiver;
  let services: ServiceProcess[] = [];
  beforeEach(async () => {
    storage = engine === 'pglite' ? await inFolder() : await onServer();
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await Promise.all(services.map((service) => service.kill()));
    services = [];
    await receiver.close();
    await storage.remove();
    log.assertNoUnexpectedErrors();
  });

  /** @param roles on the server; the embedded database serves one process, which has all. */
  async function start(roles: string, ...preloads: URL[]): Promise<ServiceProcess> {
    const service = await startService(
      {
        ...usual,
        ...storage.environment,
        ...(engine === 'postgresql' && { ROLES: roles }),
        INIT_API_KEY: token,
      },
      ...preloads,
    );
    services.push(service);
    return service;
  }

  async function end(service: ServiceProcess): Promise<void> {
    await service.kill();
    expect(errorsIn(service.output())).toEqual([]);
  }

  /** What is stored, beside any service that still runs. */
  async function stored() {
    const config = { migrationDatabaseUrl: null, dataDir: '', databaseUrl: null };
    const database = await openDatabase({
      config: { ...config, ...storage.config },
      log: log.logger,
    });
    try {
      const { query } = database.db;
      return {
        events: await query.events.findMany(),
        deliveries: await query.deliveries.findMany(),
        attempts: await query.attempts.findMany(),
        lanes: await query.lanes.findMany(),
        workers: await query.workers.findMany(),
      };
    } finally {
      await database.close();
    }
  }

  async function startWorker(): Promise<{ service: ServiceProcess; owner: string }> {
    const before = new Set((await stored()).workers.map(({ owner }) => owner));
    const service = await start('worker');
    let owner: string | undefined;
    const findOwner = async () => {
      owner = (await stored()).workers.find((worker) => !before.has(worker.owner))?.owner;
      return owner;
    };
    await expect.poll(findOwner, { timeout: 30_000, interval: 200 }).toBeDefined();
    return { service, owner: owner ?? '' };
  }

  /** The worker that holds the lane of the webhook with this path. */
  async function ownerOf(client: DeliveryClient, path = ''): Promise<string | null> {
    const webhook = client.webhooks.find((each) => each.path === path);
    const { lanes } = await stored();
    return lanes.find(({ webhookId }) => webhookId === webhook?.id)?.owner ?? null;
  }

  /** Workers that have been up for long enough to judge others. */
  async function steadyOwners(): Promise<string[]> {
    const { deadAfterMs } = workerPaces.postgresql;
    return (await stored()).workers
      .filter(
        ({ beatsAt, steadySince }) => beatsAt.getTime() - steadySince.getTime() >= deadAfterMs,
      )
      .map(({ owner }) => owner);
  }

  /** Whether all is there that was published, in the receiver's hands and in the store's words. */
  async function expectNothingLost(client: DeliveryClient): Promise<string> {
    const { events: all, deliveries, attempts } = await stored();
    const events = all.filter(({ type }) => type === 'message.created');
    const bodies = new Map(events.map(({ uuid, payload }) => [`msg_${uuid}`, payload]));
    const messages = new Set(events.map(({ payload }) => messageIn(payload)));
    expect([...client.acknowledged].filter((uuid) => !messages.has(uuid))).toEqual([]);

    const got = new Set<string>();
    for (const { path, headers, body } of receiver.requests) {
      const messageId = String(headers['webhook-id']);
      // The same event has the same id however often it comes.
      expect(body).toBe(bodies.get(messageId));
      got.add(`${path} ${messageId}`);
    }
    const lost = client.webhooks.flatMap(({ path }) =>
      [...bodies.keys()].map((id) => `${path} ${id}`).filter((each) => !got.has(each)),
    );
    expect(lost).toEqual([]);

    expect(deliveries).toHaveLength(events.length * client.webhooks.length);
    expect(deliveries.filter(({ status }) => status !== 'delivered')).toEqual([]);
    const answered = new Set(
      attempts.filter(({ statusCode }) => statusCode === 204).map(deliveryOf),
    );
    expect(deliveries.filter((delivery) => !answered.has(deliveryOf(delivery)))).toEqual([]);
    const duplicates = receiver.requests.length - got.size;
    // The kills met attempts under way, or they would have proved nothing.
    expect(duplicates).toBeGreaterThan(0);
    return `${got.size} deliveries of ${events.length} events: 0 lost, ${duplicates} came again`;
  }

  describe(`deliveries on ${engine}`, { timeout }, () => {
    if (died === 'sending' && engine === 'pglite') {
      test(`all arrive though the service is killed ${kills} times in the middle of them`, async ({
        annotate,
      }) => {
        let service = await start('api,worker');
        const client = new DeliveryClient(token);
        await client.addWebhooks(service.origin, receiver.origin, 4);
        receiver.answer(after(5, respond(204)));
        for (let kill = 1; kill <= kills; kill += 1) {
          const load = client.publishUntilStopped(service.origin);
          await receiver.received(receiver.requests.length + randomInt(20, 150));
          // The request that was counted last has no answer yet.
          await end(service);
          await load.stop();
          service = await start('api,worker');
        }
        await client.settled(service.origin);
        await end(service);
        await annotate(await expectNothingLost(client));
      });
    }
    if (died === 'sending' && engine === 'postgresql') {
      test(`all arrive though a worker is killed ${kills} times in the middle of them, and another has within seconds what it held`, async ({
        annotate,
      }) => {
        const api = await start('api');
        const silences = await watchSilences(storage.environment['DATABASE_URL'] ?? '');
        const workers = [await startWorker(), await startWorker()];
        const client = new DeliveryClient(token);
        await client.addWebhooks(api.origin, receiver.origin, 4);
        for (let kill = 1; kill <= kills; kill += 1) {
          receiver.answer(after(5, respond(204)));
          const load = client.publishUntilStopped(api.origin);
          await receiver.received(receiver.requests.length + randomInt(20, 150));
          const held = Promise.withResolvers<void>();
          receiver.answer(async (exchange) => {
            await held.promise;
            await respond(204)(exchange);
          });
          await receiver.received(receiver.requests.length + 1);
          // Not just any worker: one whose attempt waits for its answer.
          const owner = await ownerOf(client, receiver.requests.at(-1)?.path);
          const index = workers.findIndex((worker) => worker.owner === owner);
          const [victim] = workers.splice(index, 1);
          if (index < 0 || !victim) throw new Error('no worker has the attempt that is held');
          await end(victim.service);
          held.resolve();
          await load.stop();
          await client.settled(api.origin);
          workers.push(await startWorker());
        }
        // A worker's death leaves no lane unwoken, so the sweep finds nothing.
        expect(await Promise.all(workers.map(({ service }) => repairedBy(service)))).toEqual([
          0, 0,
        ]);
        await annotate(await expectNothingLost(client));
        const { freed, longestMs, ranOut, longestGapMs } = await silences.end();
        await annotate(
          `${freed} leases of the dead were freed, the latest after ${longestMs} ms; the living were heard of every ${longestGapMs} ms at the latest`,
        );
        expect(freed).toBeGreaterThan(0);
        expect(longestMs).toBeLessThan(freedWithinMs + latenessOf(longestGapMs));
        expect(ranOut).toBe(0);
      });
    }
    if (died === 'silently' && engine === 'postgresql') {
      test('under way in a worker that freezes are made by another, and nothing it says later counts', async () => {
        const owners: string[] = [];
        const pair: ServiceProcess[] = [];
        for (const count of [1, 2]) {
          pair.push(await start('api,worker'));
          await expect.poll(steadyOwners, { timeout: 30_000, interval: 200 }).toHaveLength(count);
          owners.push(...(await steadyOwners()).filter((owner) => !owners.includes(owner)));
        }
        const client = new DeliveryClient(token);
        const [webhook] = await client.addWebhooks(pair[0]?.origin ?? '', receiver.origin, 1);
        const held = Promise.withResolvers<void>();
        receiver.answer(async (exchange) => {
          await held.promise;
          await respond(410)(exchange);
        }, respond(204));
        await client.publish(pair[0]?.origin ?? '');
        await receiver.received(1);
        const [{ owner } = { owner: null }] = (await stored()).lanes;
        const [frozen, other] = owner === owners[0] ? pair : pair.toReversed();
        if (!frozen || !other) throw new Error('there are no two services');
        frozen.freeze();
        await receiver.received(2);
        await client.settled(other.origin);
        frozen.wake();
        held.resolve();
        await expect
          .poll(async () => (await stored()).attempts.map(({ statusCode }) => statusCode), {
            timeout: 20_000,
          })
          .toEqual([204, 410]);
        expect((await stored()).deliveries).toMatchObject([
          { status: 'delivered', attemptCount: 1, lastStatusCode: 204 },
        ]);
        expect(await client.get(other.origin, `/webhooks/${webhook?.id}`)).toMatchObject({
          is_active: true,
          failure_count: 0,
        });
        await client.publish(other.origin);
        await receiver.received(3);
        await client.settled(other.origin);
        await end(frozen);
        await end(other);
      });
    }

    if (died === 'silently') {
      test('that nobody was told of, their publisher having died, are found by the sweep', async ({
        annotate,
      }) => {
        const dying = await start(engine === 'pglite' ? 'api,worker' : 'api', diesBeforeTouch);
        const other = engine === 'pglite' ? null : await start('worker', ...sweeps);
        const client = new DeliveryClient(token);
        await client.addWebhooks(dying.origin, receiver.origin, 1);
        await expect(client.publish(dying.origin)).rejects.toThrow('fetch failed');
        await dying.kill();
        const repairer = other ?? (await start('api,worker', ...sweeps));
        const began = performance.now();
        await receiver.received(1);
        const tookMs = performance.now() - began;
        expect(tookMs).toBeLessThan(repairedWithinMs);
        expect(await repairedBy(repairer)).toBe(1);
        await annotate(`arrived ${Math.round(tookMs)} ms after there was a worker`);
      });
    }
  });
}

const usual: Environment = {
  ...reachesLoopback,
  INIT_ADMIN_EMAIL: 'ida@example.com',
  INIT_ADMIN_PASSWORD: randomBytes(12).toString('hex'),
  RATE_LIMIT_PER_MINUTE: '1000000',
};

/**
 * How much later others judge on a machine that lets them beat so late: a worker that was silent
 * itself for half the time after which it calls others dead begins that time anew.
 */
function latenessOf(longestGapMs: number): number {
  const { beatMs, deadAfterMs } = workerPaces.postgresql;
  if (longestGapMs > deadAfterMs / 2) return longestGapMs + deadAfterMs;
  return Math.max(0, longestGapMs - (beatMs ?? 0));
}

/**
 * Notes from now on, by the database's clock, how long the holder of a lease had been silent when
 * somebody else freed it, how often one was claimed that nobody had freed, and the longest time
 * between two beats of a worker.
 */
async function watchSilences(connectionString: string) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(`
    create table silences (ms int, is_freed boolean);
    create function note_silence() returns trigger language plpgsql as $$
    begin
      insert into silences
      select extract(epoch from clock_timestamp() - beats_at) * 1000, new.owner is null
      from workers where owner = old.owner;
      return new;
    end $$;
    create trigger note_silence before update of owner on lanes for each row
    when (old.owner is not null and new.owner is distinct from old.owner)
    execute function note_silence();
    create table gaps (ms int);
    create function note_gap() returns trigger language plpgsql as $$
    begin
      insert into gaps select extract(epoch from new.beats_at - old.beats_at) * 1000;
      return new;
    end $$;
    create trigger note_gap before update of beats_at on workers for each row
    execute function note_gap()`);
  return {
    async end() {
      // Who gives a lease back itself was heard of just now.
      const { rows } = await client.query<
        Record<'freed' | 'longestMs' | 'ranOut' | 'longestGapMs', number>
      >(
        `select (count(*) filter (where is_freed and ms >= $1))::int as freed,
           max(ms) as "longestMs", (count(*) filter (where not is_freed))::int as "ranOut",
           (select max(ms) from gaps) as "longestGapMs"
         from silences`,
        [workerPaces.postgresql.deadAfterMs],
      );
      await client.end();
      const [row] = rows;
      if (!row) throw new Error('nothing was counted');
      return row;
    },
  };
}

/** Where an installation keeps its data. */
type Storage = {
  environment: Environment;
  config: { databaseUrl: string } | { dataDir: string };
  remove(): Promise<void>;
};

async function inFolder(): Promise<Storage> {
  const dataDir = await mkdtemp(join(tmpdir(), 'deliveries-'));
  return {
    environment: { DATA_DIR: dataDir },
    config: { dataDir },
    remove: () => rm(dataDir, { recursive: true }),
  };
}

async function onServer(): Promise<Storage> {
  const database = await createMigratedPostgres();
  const { url } = database;
  return {
    environment: { DATABASE_URL: url, SECRET_KEY: randomBytes(32).toString('base64') },
    config: { databaseUrl: url },
    remove: () => database.drop(),
  };
}

async function repairedBy({ origin }: ServiceProcess): Promise<number> {
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  return Number(/^webhook_deliveries_repaired_total (\d+)$/m.exec(metrics)?.[1]);
}

function deliveryOf({ webhookId, eventId }: { webhookId: number; eventId: number }): string {
  return `${webhookId} ${eventId}`;
}

function messageIn(payload: string): string {
  return (JSON.parse(payload) as { data: { message: { uuid: string } } }).data.message.uuid;
}
