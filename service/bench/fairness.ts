import { createResolve } from '../delivery/sending/connecting/resolve-name.ts';
import { latencyOf, pace, percentile } from './measure-latency.ts';
import type { Latency } from './measure-latency.ts';
import { engines, openInstallation } from './open-installation.ts';
import type { BenchAccount, Engine, Installation } from './open-installation.ts';
import { row } from './report.ts';
import { startSink } from './start-sink.ts';
import type { Sink } from './start-sink.ts';

// Account A has 99 webhooks that are slow, hang or have a name that never resolves, with a long
// queue before them, and a healthy one at the same host. Account B has a healthy one, at its own
// host or at A's.

const troubles = { slow: 30, hanging: 29, unresolvable: 40 };
const waiting = 100_000;

const long = { cleanSeconds: 10, noisySeconds: 45, repetitions: 3 };
const short = { cleanSeconds: 8, noisySeconds: 20, repetitions: 1 };

const hosts = ['its own host', "A's host"] as const;

/** Who publishes, and how much slower than in the clean phase p50 and p99 may be. */
const publishers = {
  b: { path: '/b', name: 'B', perSecond: 50, limits: { p50: 1.2, p99: 1.5 } },
  a: { path: '/a', name: 'A’s healthy one', perSecond: 5, limits: { p50: 2, p99: 2 } },
} as const;

type Who = keyof typeof publishers;
type Phase = 'clean' | 'noisy' | 'clean after';
type Latencies = Record<Phase, Record<Who, Latency>>;

/** What others, and an account itself, notice of webhooks of it that are slow. */
export async function benchFairness({ isQuick }: { isQuick: boolean }): Promise<void> {
  const times = isQuick ? short : long;
  const sink = await startSink();
  for (const engine of engines) {
    for (const host of hosts) {
      const runs: Latencies[] = [];
      for (let run = 1; run <= times.repetitions; run += 1) {
        const label = `${engine}, B at ${host}, ${run}`;
        runs.push(await measure(engine, { label, sink, host, times }));
      }
      for (const who of ['b', 'a'] as const) {
        compare(`${engine}, B at ${host}: ${publishers[who].name}`, runs, who);
      }
    }
  }
  sink.stop();
}

/** Each ratio is the median of those of the runs. */
function compare(label: string, runs: readonly Latencies[], who: Who): void {
  const ratio = (phase: Phase, part: 'p50' | 'p99') => {
    const ratios = runs.map((each) => each[phase][who][part] / each.clean[who][part]);
    return percentile(ratios, 0.5);
  };
  const [p50, p99] = [ratio('noisy', 'p50'), ratio('noisy', 'p99')];
  const { limits } = publishers[who];
  row(`${label}, noisy / clean`, {
    p50,
    p99,
    met: p50 <= limits.p50 && p99 <= limits.p99 ? 'yes' : 'no',
    'clean after / clean: p50': ratio('clean after', 'p50'),
    'its p99': ratio('clean after', 'p99'),
  });
}

async function measure(
  engine: Engine,
  about: { label: string; sink: Sink; host: (typeof hosts)[number]; times: typeof long },
): Promise<Latencies> {
  const { label, sink, host, times } = about;
  const installation = await openInstallation(engine);
  const { a, b } = await addAccounts(installation, sink, host);
  const resolve = createResolve({ servers: [sink.silentNameServer] });
  const worker = installation.startWorker({ resolve });

  const phase = async (name: string, seconds: number): Promise<Record<Who, Latency>> => {
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
    const latencies = {
      b: latencyOf(byB, arrivals, publishers.b.path),
      a: latencyOf(byA, arrivals, publishers.a.path),
    };
    for (const who of ['b', 'a'] as const) {
      row(`${label}, ${name}: ${publishers[who].name}`, latencies[who]);
    }
    return latencies;
  };

  await phase('warming up', 4);
  await a.setPaused(true);
  await a.addBacklog(Math.ceil(waiting / Object.values(troubles).reduce((one, two) => one + two)));
  await installation.analyze();
  const clean = await phase('clean', times.cleanSeconds);
  await a.wake();
  await a.setPaused(false);
  const noisy = await phase('noisy', times.noisySeconds);
  await a.setPaused(true);
  const after = await phase('clean after', times.cleanSeconds);
  await worker.stop();
  await installation.close();
  return { clean, noisy, 'clean after': after };
}

async function addAccounts(
  installation: Installation,
  { origin, otherOrigin }: Sink,
  host: (typeof hosts)[number],
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
