import { latencyOf, pace, percentile } from '../load/pace.ts';
import { RawLoop } from '../load/raw-loop.ts';
import type { Bench, BenchRun } from '../running/bench-run.ts';
import { alternate, median, samplesOf } from '../running/sample.ts';
import { rows } from '../rows.ts';
import type { Engine } from '../rows.ts';
import { openInstallation } from '../setup/open-installation.ts';
import { startSink } from '../setup/start-sink.ts';
import type { Sink } from '../setup/start-sink.ts';

/** Long enough for a 99th percentile; the more events a second, the shorter. */
const rates = [
  { perSecond: 50, name: '50/s', seconds: 4, fullSeconds: 20 },
  { perSecond: 200, name: '200/s', seconds: 3, fullSeconds: 12 },
  { perSecond: 1000, name: '1,000/s', seconds: 2, fullSeconds: 6 },
] as const;
const parts = { p50: 0.5, p99: 0.99 } as const;
/** The first events do not count, because code is not compiled yet and connections are not open. */
const warmUp = { perSecond: 100, seconds: 4 };

/**
 * Measures from before a message is written until the whole request has arrived at the receiver.
 */
export const benchLatency: Bench = async (run) => {
  const sink = await startSink();
  const raw = new RawLoop(sink, 32);
  await pace(warmUp, (number) => raw.post(number));
  for (const engine of run.engines) await measure(run, engine, { sink, raw });
  await raw.close();
  sink.stop();
};

async function measure(
  run: BenchRun,
  engine: Engine,
  { sink, raw }: { sink: Sink; raw: RawLoop },
): Promise<void> {
  const installation = await openInstallation(engine);
  const account = await installation.addAccount();
  await account.addWebhook(`${sink.origin}/hook`, 'message.created');
  const worker = installation.startWorker();
  const warmed = await pace(warmUp, (number) => account.writeMessage(number));
  await sink.arrived(warmed.size, '/hook');
  await installation.analyze();

  for (const { perSecond, name, seconds, fullSeconds } of rates) {
    const load = { perSecond, seconds: run.isFull ? fullSeconds : seconds };
    const commits: number[][] = [];
    const taken = await alternate(3, {
      async yardstick() {
        await sink.take();
        const began = await pace(load, (number) => raw.post(number));
        return latencyOf(began, await sink.take(), '/raw');
      },
      async measure() {
        await sink.take();
        const committedMs: number[] = [];
        const began = await pace(load, async (number) => {
          const from = performance.now();
          await account.writeMessage(number);
          committedMs.push(performance.now() - from);
        });
        commits.push(committedMs);
        await sink.arrived(began.size, '/hook');
        return latencyOf(began, await sink.take(), '/hook');
      },
    });
    for (const part of ['p50', 'p99'] as const) {
      const committed = median(commits.map((ms) => percentile(ms, parts[part])));
      run.add(rows.latency[`${name}, ${part}`], {
        engine,
        samples: samplesOf(taken, (latency) => latency[part]),
        figures: { 'of it the commit': committed },
      });
    }
  }
  const { repaired } = await worker.stop();
  if (repaired > 0) throw new Error(`the sweep had to repair ${repaired}`);
  await installation.close();
}
