import { latencyOf, pace, percentile } from './measure-latency.ts';
import { engines, openInstallation } from './open-installation.ts';
import { RawLoop } from './raw-loop.ts';
import { row } from './report.ts';
import { startSink } from './start-sink.ts';

const seconds = 12;
const rates = [50, 200];
/** What comes before is thrown away: code that was not compiled yet, connections not open. */
const warmUp = { perSecond: 100, seconds: 4 };

/** From before the publishing transaction to the whole request at the receiver. */
export async function benchLatency(): Promise<void> {
  const sink = await startSink();
  const raw = new RawLoop(sink, 32);
  await pace(warmUp, (number) => raw.post(number));
  for (const engine of engines) {
    const installation = await openInstallation(engine);
    const account = await installation.addAccount();
    await account.addWebhook(`${sink.origin}/hook`);
    const worker = installation.startWorker();
    const warmed = await pace(warmUp, (number) => account.publish(number));
    await sink.arrived(warmed.size, '/hook');
    await installation.analyze();
    for (const perSecond of rates) {
      await sink.take();
      const rawBegan = await pace({ perSecond, seconds }, (number) => raw.post(number));
      row(`raw loop, ${perSecond}/s`, latencyOf(rawBegan, await sink.take(), '/raw'));

      const committedMs: number[] = [];
      const began = await pace({ perSecond, seconds }, async (number) => {
        const from = performance.now();
        await account.publish(number);
        committedMs.push(performance.now() - from);
      });
      await sink.arrived(began.size, '/hook');
      row(`${engine}, ${perSecond}/s`, {
        ...latencyOf(began, await sink.take(), '/hook'),
        'of it the commit: p50': percentile(committedMs, 0.5),
        'its p99': percentile(committedMs, 0.99),
      });
    }
    const { repaired } = await worker.stop();
    if (repaired > 0) throw new Error(`the sweep had to repair ${repaired}`);
    await installation.close();
  }
  await raw.close();
  sink.stop();
}
