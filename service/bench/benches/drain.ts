import type { Bench } from '../running/bench-run.ts';
import { ratesToRow } from '../running/rate.ts';
import type { Rate } from '../running/rate.ts';
import { alternate } from '../running/sample.ts';
import { rows } from '../rows.ts';
import { RawLoop } from '../load/raw-loop.ts';
import { openInstallation } from '../setup/open-installation.ts';
import type { BenchAccount, Installation } from '../setup/open-installation.ts';
import { startSink } from '../setup/start-sink.ts';
import type { Sink } from '../setup/start-sink.ts';

const webhookCounts = [
  { count: 1, row: rows.drain['1 webhook'] },
  { count: 10, row: rows.drain['10 webhooks'] },
  { count: 100, row: rows.drain['100 webhooks'] },
];
/**
 * Numbers of connections: those of one webhook, and those of one origin. The faster of both is the
 * yardstick.
 */
const concurrencies = [32, 128];
/** In the first four drains of a process, V8 optimizes code: each is faster than the one before. */
const firstWarmUps = 4;

/** Delivers a backlog, from the start of the worker until every result is written. */
export const benchDrain: Bench = async (run) => {
  const total = run.isFull ? 20_000 : 5000;
  const sink = await startSink();
  const concurrency = await bestConcurrency(sink);
  for (const engine of run.engines) {
    let warmUps = firstWarmUps;
    for (const { count, row } of webhookCounts) {
      const installation = await openInstallation(engine);
      const account = await installation.addAccount();
      for (let made = 1; made <= count; made += 1) {
        await account.addWebhook(`${sink.origin}/hook-${made}`);
      }
      const events = total / count;
      // Before it counts, code is compiled and optimized, and statements are prepared.
      for (let time = 0; time < warmUps; time += 1) {
        await drain({ installation, account, sink, events, total });
      }
      warmUps = 1;
      const taken = await alternate(3, {
        yardstick: () => postRaw(sink, { total, concurrency }),
        measure: () => drain({ installation, account, sink, events, total }),
      });
      run.add(row, { engine, ...ratesToRow(taken) });
      await installation.close();
    }
  }
  sink.stop();
};

async function drain({
  installation,
  account,
  sink,
  events,
  total,
}: {
  installation: Installation;
  account: BenchAccount;
  sink: Sink;
  events: number;
  total: number;
}): Promise<Rate> {
  await account.addBacklog(events);
  await installation.analyze();
  await account.wake();
  await sink.take();
  const rate = await rateOf(total, async () => {
    const worker = installation.startWorker();
    await sink.arrived(total);
    await worker.stop();
  });
  const { length } = await sink.take();
  if (length !== total) throw new Error(`${length} arrived instead of ${total}`);
  return rate;
}

async function bestConcurrency(sink: Sink): Promise<number> {
  let best = { concurrency: 0, perSecond: 0 };
  for (const concurrency of [...concurrencies, ...concurrencies]) {
    const { perSecond } = await postRaw(sink, { total: 5000, concurrency });
    if (perSecond > best.perSecond) best = { concurrency, perSecond };
  }
  return best.concurrency;
}

async function postRaw(
  sink: Sink,
  { total, concurrency }: { total: number; concurrency: number },
): Promise<Rate> {
  const raw = new RawLoop(sink, concurrency);
  await sink.take();
  let left = total;
  const post = async () => {
    while (left > 0) {
      left -= 1;
      await raw.post(left);
    }
  };
  const rate = await rateOf(total, async () => {
    await Promise.all(Array.from({ length: concurrency }, post));
    await sink.arrived(total);
  });
  await raw.close();
  return rate;
}

/** The rate at which this process does something `total` times. */
async function rateOf(total: number, act: () => Promise<void>): Promise<Rate> {
  const [began, usedBefore] = [performance.now(), process.cpuUsage()];
  await act();
  const { user, system } = process.cpuUsage(usedBefore);
  return {
    perSecond: (total * 1000) / (performance.now() - began),
    processorUs: (user + system) / total,
  };
}
