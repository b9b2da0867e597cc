import type { HttpLoad } from '../load/http-client.ts';
import { percentile } from '../load/pace.ts';
import { sendPacedCalls } from '../load/paced-calls.ts';
import type { PacedResponses } from '../load/paced-calls.ts';
import type { Bench, BenchRun } from '../running/bench-run.ts';
import { alternate, median, samplesOf } from '../running/sample.ts';
import { rows } from '../rows.ts';
import type { Engine } from '../rows.ts';
import { fillAccount } from '../setup/fill-account.ts';
import { startBareServer } from '../setup/start-bare-server.ts';
import type { BareServer } from '../setup/start-bare-server.ts';
import { installService } from '../setup/install-service.ts';
import { startSink } from '../setup/start-sink.ts';
import type { Sink } from '../setup/start-sink.ts';

/**
 * Sends a fifth more calls of one account than the service can carry out, each when it is due. With
 * many more calls, the figures would only show how long the load lasts, since the client runs on
 * the same machine. The yardstick of refused calls is the bare server at the same rate; that of the
 * others is what the service can carry out.
 */
export const benchRefusals: Bench = async (run) => {
  const bare = await startBareServer();
  const sink = await startSink();
  for (const engine of run.engines) await measure(run, engine, { bare, sink });
  sink.stop();
  bare.stop();
};

/**
 * How many calls are sent, relative to those that the service has just carried out in the same
 * time.
 */
const loadFactor = 1.2;

async function measure(
  run: BenchRun,
  engine: Engine,
  { bare, sink }: { bare: BareServer; sink: Sink },
): Promise<void> {
  const installed = await installService(engine);
  const service = await installed.start();
  const { tokens } = await fillAccount(
    { origin: service.origin, token: installed.token },
    { sink, keys: 10, webhooks: 10, conversations: 0 },
  );
  const load: Pick<HttpLoad, 'method' | 'calls'> = {
    method: 'GET',
    calls: tokens.map((token) => ({ path: '/api/v1/webhooks', token })),
  };
  const { origin } = service;
  const carryOut = async () =>
    (await run.client.send({ ...load, origin, status: 200, seconds: 1 })).perSecond;
  // Runs until code is compiled and caches are full.
  await carryOut();
  const capacity = await carryOut();
  const paced = { ...load, perSecond: loadFactor * capacity, seconds: run.isFull ? 6 : 1 };

  const taken = await alternate(3, {
    yardstick: async () =>
      overloadOf(await sendPacedCalls({ ...paced, origin: bare.origin }), { counted: 200 }),
    measure: async () => overloadOf(await sendPacedCalls({ ...paced, origin }), { counted: 503 }),
  });
  await service.stop();
  await installed.remove();

  const overloads = taken.map(({ measured }) => measured);
  const figures = { 'refused per s': median(overloads.map(({ perSecond }) => perSecond)) };
  for (const part of ['p50', 'p99'] as const) {
    run.add(rows.refusals[`refusals, ${part}`], {
      engine,
      client: 'own client',
      samples: samplesOf(taken, (overload) => overload[part]),
      figures,
    });
  }
  run.add(rows.refusals['calls carried out'], {
    engine,
    client: run.client.name,
    samples: overloads.map(({ othersPerSecond }) => ({
      value: othersPerSecond,
      yardstick: capacity,
    })),
    figures,
  });
}

/** How many milliseconds the counted responses took, and how many there were besides the others. */
type Overload = { p50: number; p99: number; perSecond: number; othersPerSecond: number };

function overloadOf(
  { tookMs, seconds }: PacedResponses,
  { counted }: { counted: 200 | 503 },
): Overload {
  const { 200: carriedOut = [], 503: refused = [], ...unexpected } = tookMs;
  const statuses = Object.keys(unexpected).join(', ');
  if (statuses !== '') throw new Error(`some calls got ${statuses}`);
  const [times, others] = counted === 503 ? [refused, carriedOut] : [carriedOut, refused];
  if (times.length === 0) throw new Error(`no call got ${counted}`);
  return {
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    perSecond: times.length / seconds,
    othersPerSecond: others.length / seconds,
  };
}
