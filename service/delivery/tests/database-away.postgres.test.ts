import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newToken } from '../../tokens/token.ts';
import { createMigratedPostgres } from '../../testing/databases/postgres-database.ts';
import { DeliveryClient } from '../../testing/durability/delivery-client.ts';
import { respond, startReceiver } from '../../testing/delivery/receiver.ts';
import type { Receiver } from '../../testing/delivery/receiver.ts';
import { reachesLoopback } from '../../testing/delivery/sender.ts';
import { startService } from '../../testing/processes/service-process.ts';
import type { ServiceProcess } from '../../testing/processes/service-process.ts';
import { openWire } from '../../testing/databases/open-wire.ts';
import type { Wire } from '../../testing/databases/open-wire.ts';

const shortLeases = new URL('../../testing/processes/preloads/short-leases.ts', import.meta.url);
/** A webhook is served again within this time once the database is back. */
const servedWithinMs = 2000;
const published = 20;

let database: Awaited<ReturnType<typeof createMigratedPostgres>>;
let direct: pg.Client;
let wire: Wire;
let receiver: Receiver;
let services: ServiceProcess[] = [];
const client = new DeliveryClient(newToken());

beforeAll(async () => {
  database = await createMigratedPostgres();
  direct = new pg.Client({ connectionString: database.url });
  await direct.connect();
  wire = await openWire(database.url);
  receiver = await startReceiver();
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.kill()));
  await receiver.close();
  await wire.close();
  await direct.end();
  await database.drop();
});

test('a database away for longer than a lease costs a webhook two seconds after its return, and nothing is lost, repeated or counted twice', async ({
  annotate,
}) => {
  const environment = {
    ...reachesLoopback,
    DATABASE_URL: wire.url,
    SECRET_KEY: randomBytes(32).toString('base64'),
    INIT_ADMIN_EMAIL: 'ida@example.com',
    INIT_ADMIN_PASSWORD: randomBytes(12).toString('hex'),
    INIT_API_KEY: client.token,
  };
  // Two workers, each of which could take the other's leases, since all expire.
  services = await Promise.all(
    ['api,worker', 'worker'].map((ROLES) => startService({ ...environment, ROLES }, shortLeases)),
  );
  const [service] = services;
  if (!service) throw new Error('there is no service');
  const [healthy, failing] = await client.addWebhooks(service.origin, receiver.origin, 2);
  if (!healthy || !failing) throw new Error('there are no webhooks');
  const answered = Promise.withResolvers<void>();
  receiver.respondWith(async (exchange) => {
    await answered.promise;
    await respond(exchange.request.path === healthy.path ? 204 : 500)(exchange);
  });
  const requestsTo = ({ path }: { path: string }) =>
    receiver.requests.filter((request) => request.path === path).length;

  for (let count = 0; count < published; count += 1) await client.publish(service.origin);
  await receiver.received(4);
  wire.cut();
  answered.resolve();
  await expect.poll(leasesEnded, { timeout: 60_000, interval: 100 }).toBe(true);
  const before = requestsTo(healthy);

  wire.mend();
  const returned = performance.now();
  await expect.poll(() => requestsTo(healthy), { interval: 5 }).toBeGreaterThan(before);
  const servedMs = performance.now() - returned;
  await client.publish(service.origin);
  await expect.poll(() => requestsTo(healthy), { interval: 5 }).toBe(published + 1);
  const newMs = performance.now() - returned;
  await annotate(
    `served again after ${Math.round(servedMs)} ms, all of it ${Math.round(newMs)} ms`,
  );
  expect(servedMs).toBeLessThan(servedWithinMs);
  expect(newMs).toBeLessThan(2 * servedWithinMs);

  await client.settled(service.origin, [healthy]);
  expect(await countersOf(healthy)).toEqual({
    deliveries: published + 1,
    counted: published + 1,
    attempts: published + 1,
    delivered: published + 1,
    failures: 0,
  });
  expect(requestsTo(healthy)).toBe(published + 1);
  await expect
    .poll(async () => (await countersOf(failing)).deliveries, { timeout: 20_000 })
    .toBe(published + 1);
  await expect
    .poll(async () => (await countersOf(failing)).attempts === requestsTo(failing), {
      timeout: 20_000,
    })
    .toBe(true);
  const { counted, attempts, failures } = await countersOf(failing);
  expect([counted, failures]).toEqual([attempts, attempts]);
}, 180_000);

/** Whether there are leases, and all of them expired more than a moment ago. */
async function leasesEnded(): Promise<boolean | null> {
  const { rows } = await direct.query<{ ended: boolean | null }>(
    `select bool_and(wake_at < now() - interval '1 second') as ended
     from lanes where owner is not null`,
  );
  return rows[0]?.ended ?? null;
}

async function countersOf({ id }: { id: number }) {
  const { rows } = await direct.query<Record<string, number>>(
    `select count(*)::int as deliveries, sum(attempt_count)::int as counted,
       (select count(*)::int from attempts where webhook_id = $1) as attempts,
       (count(*) filter (where status = 'delivered'))::int as delivered,
       (select failure_count from lanes where webhook_id = $1) as failures
     from deliveries where webhook_id = $1`,
    [id],
  );
  return rows[0] ?? {};
}
