import { engines, openInstallation } from './open-installation.ts';
import { RawLoop } from './raw-loop.ts';
import { row } from './report.ts';
import { startSink } from './start-sink.ts';
import type { Sink } from './start-sink.ts';

const total = 5000;
const webhookCounts = [1, 10, 100];
/** The connections of one webhook, and those of one origin: the better of both is the yardstick. */
const concurrencies = [32, 128];

/** A backlog, from the start of the worker until every result is written down. */
export async function benchDrain(): Promise<void> {
  const sink = await startSink();
  await drainRaw(sink, 128);
  for (const engine of engines) {
    for (const count of webhookCounts) {
      const installation = await openInstallation(engine);
      const account = await installation.addAccount();
      for (let made = 1; made <= count; made += 1) {
        await account.addWebhook(`${sink.origin}/hook-${made}`);
      }
      // Once before it counts, so that neither code nor connections are new.
      await drain();
      const rawBefore = await bestRaw(sink);
      const drained = await drain();
      const rawAfter = await bestRaw(sink);
      const rawPerSecond = (rawBefore + rawAfter) / 2;
      row(`${engine}, ${count} webhooks`, {
        'per s': drained,
        'raw per s': rawPerSecond,
        ratio: drained / rawPerSecond,
      });
      await installation.close();

      async function drain(): Promise<number> {
        await account.addBacklog(total / count);
        await installation.analyze();
        await account.wake();
        await sink.take();
        const began = performance.now();
        const worker = installation.startWorker();
        await sink.arrived(total);
        await worker.stop();
        const perSecond = (total * 1000) / (performance.now() - began);
        const { length } = await sink.take();
        if (length !== total) throw new Error(`${length} arrived instead of ${total}`);
        return perSecond;
      }
    }
  }
  sink.stop();
}

async function bestRaw(sink: Sink): Promise<number> {
  let best = 0;
  for (const concurrency of concurrencies) {
    best = Math.max(best, await drainRaw(sink, concurrency));
  }
  return best;
}

async function drainRaw(sink: Sink, concurrency: number): Promise<number> {
  const raw = new RawLoop(sink, concurrency);
  await sink.take();
  const began = performance.now();
  let left = total;
  const post = async () => {
    while (left > 0) {
      left -= 1;
      await raw.post(left);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, post));
  await sink.arrived(total);
  const perSecond = (total * 1000) / (performance.now() - began);
  await raw.close();
  return perSecond;
}
