import { latencyOf, pace } from './measure-latency.ts';
import { engines, openInstallation } from './open-installation.ts';
import { row } from './report.ts';
import { startSink } from './start-sink.ts';

const perSecond = 50;
const seconds = 10;
const hangingEndpoints = 10;
const eventsForHanging = 100;
const backlog = 5000;
/** Short, so that a phase outlasts several. */
const sending = { connectTimeoutMs: 1000, timeoutMs: 2000 };

/** A healthy webhook before, while and after ten others hang and one has a backlog. */
export async function benchIsolation(): Promise<void> {
  const sink = await startSink();
  for (const engine of engines) {
    const installation = await openInstallation(engine);
    const [healthy, hanging, busy] = [
      await installation.addAccount(),
      await installation.addAccount(),
      await installation.addAccount(),
    ];
    await healthy.addWebhook(`${sink.origin}/healthy`);
    await busy.addWebhook(`${sink.origin}/busy`);
    for (let made = 1; made <= hangingEndpoints; made += 1) {
      await hanging.addWebhook(`${sink.origin}/hang-${made}`);
    }
    const worker = installation.startWorker(sending);
    const phase = async (label: string) => {
      await sink.take();
      const began = await pace({ perSecond, seconds }, (number) => healthy.publish(number));
      await sink.arrived(began.size, '/healthy');
      const arrivals = await sink.take();
      const isBusy = ([, path]: (typeof arrivals)[number]) => path === '/busy';
      row(`${engine}, ${label}`, {
        ...latencyOf(began, arrivals, '/healthy'),
        'of the backlog': arrivals.filter(isBusy).length,
      });
    };
    await phase('warming up');
    await phase('clean');
    await hanging.addBacklog(eventsForHanging);
    await busy.addBacklog(backlog);
    await Promise.all([hanging.wake(), busy.wake()]);
    await phase('with 10 that hang and a backlog');
    await phase('with 10 that hang');
    await worker.stop();
    await installation.close();
  }
  sink.stop();
}
