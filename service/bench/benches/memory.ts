import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { pace } from '../load/pace.ts';
import type { Bench, BenchRun } from '../running/bench-run.ts';
import { residentMiB, watchMemory } from '../running/resident-memory.ts';
import type { Sample } from '../running/sample.ts';
import { rows } from '../rows.ts';
import type { Engine } from '../rows.ts';
import { fillAccount } from '../setup/fill-account.ts';
import { installService } from '../setup/install-service.ts';
import type { InstalledService, RunningService } from '../setup/install-service.ts';
import { startSink } from '../setup/start-sink.ts';
import type { Sink } from '../setup/start-sink.ts';
import { viewPage } from '../setup/view-page.ts';

const perSecond = 60;
/**
 * V8 returns memory that it has not needed for eight seconds, or later if the process did a little
 * work in that time.
 */
const restMs = 20_000;

/**
 * The memory of a process after its start and a page view, and while messages are sent; and whether
 * it grows.
 */
export const benchMemory: Bench = async (run) => {
  const sink = await startSink();
  for (const engine of run.engines) await measureWhole(run, { engine, sink });
  if (run.engines.includes('postgresql')) await measureWithoutPages(run, sink);
  sink.stop();
};

async function measureWhole(
  run: BenchRun,
  { engine, sink }: { engine: Engine; sink: Sink },
): Promise<void> {
  const installed = await installService(engine);
  await fillFirst(installed, sink);
  const service = await installed.start({ hasPages: true });
  await viewPage(service.origin, installed.environment);
  await pause(restMs);
  run.add(rows.memory['after a page view'], { engine, samples: once(residentMiB(service.pid)) });

  const load = await loadOf(service, installed);
  const minutes = 60 * perSecond;
  const warmed = await load(run.isFull ? 2 * minutes : minutes / 2);
  run.add(rows.memory['at 60 messages a second'], { engine, samples: once(warmed) });
  if (run.isFull) {
    const soaked = await load(10 * minutes);
    run.add(rows.memory['growth in ten minutes more'], {
      engine,
      samples: once(Math.max(0, soaked - warmed)),
    });
  }
  await service.stop();
  await installed.remove();
}

/** Measures a service whose dashboard runs separately. */
async function measureWithoutPages(run: BenchRun, sink: Sink): Promise<void> {
  const installed = await installService('postgresql');
  await fillFirst(installed, sink);
  const service = await installed.start({ roles: 'api,worker' });
  await pause(restMs);
  run.add(rows.memory['api and worker'], {
    engine: 'postgresql',
    samples: once(residentMiB(service.pid)),
  });
  await service.stop();
  await installed.remove();
}

/** Fills the account with a separate process, whose compiled code and caches do not count. */
async function fillFirst(installed: InstalledService, sink: Sink): Promise<void> {
  const service = await installed.start();
  const { token } = installed;
  await fillAccount(
    { origin: service.origin, token },
    { sink, keys: 1, webhooks: 10, conversations: 1 },
  );
  await service.stop();
}

/** Sends a number of messages at a steady rate; returns the largest memory meanwhile. */
async function loadOf(
  { origin, pid }: RunningService,
  { token }: InstalledService,
): Promise<(messages: number) => Promise<number>> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const found = await fetch(`${origin}/api/v1/conversations`, { headers });
  const { data } = (await found.json()) as { data: { id: number }[] };
  const path = `/api/v1/conversations/${data[0]?.id}/messages`;
  const body = JSON.stringify({ author: 'agent', text: 'Your order is on its way.' });
  return async (messages) => {
    const memory = watchMemory(pid, 200);
    // If a machine is too slow, messages wait here and not in the service.
    const pool = new Pool(origin, { connections: 32 });
    await pace({ perSecond, seconds: messages / perSecond }, async () => {
      const response = await pool.request({ path, method: 'POST', headers, body });
      const text = await response.body.text();
      if (response.statusCode !== 201) throw new Error(`${path}: ${text}`);
    });
    await pool.close();
    return memory.stop().maxMiB;
  };
}

function once(value: number): Sample[] {
  return [{ value, yardstick: null }];
}
