import { latencyOf, pace } from '../load/pace.ts';
import type { Latency } from '../load/pace.ts';
import type { Bench, BenchRun } from '../running/bench-run.ts';
import { rows } from '../rows.ts';
import type { Engine } from '../rows.ts';
import { openInstallation } from '../setup/open-installation.ts';
import { startSink } from '../setup/start-sink.ts';
import type { Sink } from '../setup/start-sink.ts';

const perSecond = 50;
const seconds = 10;
const hangingEndpoints = 10;
const eventsForHanging = 100;
const backlog = 5000;
/** Short time limits, so that a phase contains several of them. */
const sending = { connectTimeoutMs: 1000, timeoutMs: 2000 };

type Phases = Record<'clean' | 'both' | 'hanging', Latency>;

/** Measures a healthy webhook before, while and after ten others hang and one has a backlog. */
export const benchIsolation: Bench = async (run) => {
  const sink = await startSink();
  for (const engine of run.engines) {
    const repetitions: Phases[] = [];
    while (repetitions.length < (run.isFull ? 3 : 1)) {
      repetitions.push(await measure(engine, sink));
    }
    addRows(run, engine, repetitions);
  }
  sink.stop();
};

function addRows(run: BenchRun, engine: Engine, repetitions: readonly Phases[]): void {
  for (const part of ['p50', 'p99'] as const) {
    const samplesOf = (phase: keyof Phases) =>
      repetitions.map((phases) => ({ value: phases[phase][part], yardstick: phases.clean[part] }));
    const { isolation } = rows;
    run.add(isolation[`beside 10 that hang and a backlog, ${part}`], {
      engine,
      samples: samplesOf('both'),
    });
    run.add(isolation[`beside 10 that hang, ${part}`], { engine, samples: samplesOf('hanging') });
  }
}

async function measure(engine: Engine, sink: Sink): Promise<Phases> {
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
  const phase = async (): Promise<Latency> => {
    await sink.take();
    const began = await pace({ perSecond, seconds }, (number) => healthy.publish(number));
    await sink.arrived(began.size, '/healthy');
    return latencyOf(began, await sink.take(), '/healthy');
  };
  await phase();
  const clean = await phase();
  await hanging.addBacklog(eventsForHanging);
  await busy.addBacklog(backlog);
  await Promise.all([hanging.wake(), busy.wake()]);
  const phases = { clean, both: await phase(), hanging: await phase() };
  await worker.stop();
  await installation.close();
  return phases;
}
