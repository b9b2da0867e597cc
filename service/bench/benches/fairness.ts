import { createResolve } from '../../delivery/sending/connecting/resolve-name.ts';
import { latencyOf, pace } from '../load/pace.ts';
import type { Latency } from '../load/pace.ts';
import type { Bench, BenchRun } from '../running/bench-run.ts';
import { median } from '../running/sample.ts';
import { rows } from '../rows.ts';
import type { Engine } from '../rows.ts';
import { openInstallation } from '../setup/open-installation.ts';
import type { BenchAccount, Installation } from '../setup/open-installation.ts';
import { startSink } from '../setup/start-sink.ts';
import type { Sink } from '../setup/start-sink.ts';

// Account A has 99 webhooks that are slow, hang or have a name that never resolves, each with a
// long queue. It also has a healthy webhook on the same host. Account B has a healthy webhook, on
// its own host or on A's.

const troubles = { slow: 30, hanging: 29, unresolvable: 40 };
const waiting = 100_000;

const long = { cleanSeconds: 10, noisySeconds: 45, repetitions: 3 };
const short = { cleanSeconds: 8, noisySeconds: 20, repetitions: 1 };

const hosts = ['its own host', "A's host"] as const;
type Host = (typeof hosts)[number];

/** Which account publishes. */
const publishers = {
  b: { path: '/b', perSecond: 50 },
  a: { path: '/a', perSecond: 5 },
} as const;

type Who = keyof typeof publishers;
type Phase = 'clean' | 'noisy' | 'clean after';
type Latencies = Record<Phase, Record<Who, Latency>>;

/** How slow webhooks of an account affect others, and the account itself. */
export const benchFairness: Bench = async (run) => {
  const times = run.isFull ? long : short;
  const sink = await startSink();
  for (const engine of run.engines) {
    for (const host of hosts) {
      const repetitions: Latencies[] = [];
      while (repetitions.length < times.repetitions) {
        repetitions.push(await measure(engine, { sink, host, times }));
      }
      addRows(run, { engine, host, repetitions });
    }
  }
  sink.stop();
};

/**
 * Adds rows whose yardstick is the phase without slow webhooks. Its difference from the phase after
 * them shows how steady it is.
 */
function addRows(
  run: BenchRun,
  { engine, host, repetitions }: { engine: Engine; host: Host; repetitions: readonly Latencies[] },
): void {
  for (const part of ['p50', 'p99'] as const) {
    for (const who of ['b', 'a'] as const) {
      const name =
        who === 'b' ? (`B at ${host}, ${part}` as const) : (`A, B at ${host}, ${part}` as const);
      const again = repetitions.map(
        (phases) => phases['clean after'][who][part] / phases.clean[who][part],
      );
      run.add(rows.fairness[name], {
        engine,
        samples: repetitions.map((phases) => ({
          value: phases.noisy[who][part],
          yardstick: phases.clean[who][part],
        })),
        figures: { 'clean after / clean': median(again) },
      });
    }
  }
}

async function measure(
  engine: Engine,
  { sink, host, times }: { sink: Sink; host: Host; times: typeof long },
): Promise<Latencies> {
  const installation = await openInstallation(engine);
  const { a, b } = await addAccounts(installation, sink, host);
  const resolve = createResolve({ servers: [sink.silentNameServer] });
  const worker = installation.startWorker({ resolve });

  const phase = async (seconds: number): Promise<Record<Who, Latency>> => {
    await sink.take();
    const publish = async (account: BenchAccount, who: Who) => {
      const { perSecond } = publishers[who];
      return await pace({ perSecond, seconds }, (number) =>
        account.publish(number, 'conversation.created'),
      );
    };
    const [byA, byB] = await Promise.all([publish(a, 'a'), publish(b, 'b')]);
    await sink.arrived(byA.size, publishers.a.path);
    await sink.arrived(byB.size, publishers.b.path);
    const arrivals = await sink.take();
    return {
      b: latencyOf(byB, arrivals, publishers.b.path),
      a: latencyOf(byA, arrivals, publishers.a.path),
    };
  };

  await phase(4);
  await a.setPaused(true);
  await a.addBacklog(Math.ceil(waiting / Object.values(troubles).reduce((one, two) => one + two)));
  await installation.analyze();
  const clean = await phase(times.cleanSeconds);
  await a.wake();
  await a.setPaused(false);
  const noisy = await phase(times.noisySeconds);
  await a.setPaused(true);
  const after = await phase(times.cleanSeconds);
  await worker.stop();
  await installation.close();
  return { clean, noisy, 'clean after': after };
}

async function addAccounts(
  installation: Installation,
  { origin, otherOrigin }: Sink,
  host: Host,
): Promise<{ a: BenchAccount; b: BenchAccount }> {
  const [a, b] = [await installation.addAccount(), await installation.addAccount()];
  for (let made = 1; made <= troubles.slow; made += 1) {
    await a.addWebhook(`${origin}/slow-${made}`, 'conversation.closed');
  }
  for (let made = 1; made <= troubles.hanging; made += 1) {
    await a.addWebhook(`${origin}/hang-${made}`, 'conversation.closed');
  }
  for (let made = 1; made <= troubles.unresolvable; made += 1) {
    await a.addWebhook(`http://never-${made}.example.com/`, 'conversation.closed');
  }
  await a.addWebhook(`${origin}${publishers.a.path}`, 'conversation.created');
  const hostOfB = host === "A's host" ? origin : otherOrigin;
  await b.addWebhook(`${hostOfB}${publishers.b.path}`, 'conversation.created');
  return { a, b };
}
