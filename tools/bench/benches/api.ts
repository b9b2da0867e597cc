import { Pool } from 'undici';
import { pace, sendCalls } from '../load/calls.ts';
import type { Calls } from '../load/calls.ts';
import { alternate, milliseconds, percentile, perSecond, processorTimeOf } from '../measure.ts';
import type { Bench, BenchRun, Engine } from '../measure.ts';
import { fillAccount, installService, startBareServer } from '../setup/service.ts';
import { startReceiver } from '../setup/receiver.ts';

/** A call to one path of the API, or to several paths in turn. */
type Call = Pick<Calls, 'method' | 'body' | 'status'> & { paths: readonly string[] };

/** Calls with 100 keys in turn, to a service that is started as an operator starts it. */
export const benchApi: Bench = withFilledService(async (run, engine, servers) => {
  const { bare, service, receiver, tokens, conversationIds } = servers;
  const get = (path: string, status = 200): Call => ({ method: 'GET', paths: [path], status });
  const message: Call = {
    method: 'POST',
    paths: conversationIds.map((id) => `conversations/${id}/messages`),
    body: JSON.stringify({ author: 'agent', text: 'Your order is on its way.' }),
    status: 201,
  };
  const send = async (
    { origin, pid }: { origin: string; pid: number },
    { paths, ...call }: Call,
    seconds = run.isFull ? 5 : 1,
  ) => {
    const calls = tokens.map((token, n) => ({ path: `/api/v1/${paths[n % paths.length]}`, token }));
    const before = processorTimeOf(pid);
    const sent = await sendCalls({ ...call, origin, calls, seconds });
    // Waits for the deliveries, so that they do not disturb the next row.
    if (call.method === 'POST') {
      await receiver.arrived(sent.responses, '/messages');
      await receiver.take();
    }
    const processorUs = (processorTimeOf(pid) - before) / sent.responses;
    return { perSecond: sent.perSecond, processorUs };
  };
  for (const [name, target, call] of [
    ['404 with a token', 0.4, get('nothing', 404)],
    ['GET /api-key', 0.35, get('api-key')],
    ['GET /webhooks, 10 rows', { pglite: 0.03, postgresql: 0.1 }, get('webhooks')],
    ['GET /conversations, 10 rows', { pglite: 0.04, postgresql: 0.12 }, get('conversations')],
    ['POST messages', { postgresql: 0.06 }, message],
  ] as const) {
    // Until code is compiled and caches are full.
    await send(service, call, 3);
    const samples = await alternate(3, {
      yardstick: () => send(bare, get('')),
      measure: () => send(service, call),
    });
    run.add(`api: ${name}`, perSecond(target), {
      engine,
      samples: samples((rate) => rate.perSecond),
      processor: samples((rate) => rate.processorUs),
    });
  }
});

/**
 * Sends a fifth more calls of one account than the service can answer. Each is sent when it is due,
 * and its time counts from then. The yardstick of accepted calls is what the service can answer.
 */
export const benchRefusals: Bench = withFilledService(async (run, engine, { service, tokens }) => {
  const calls = tokens.slice(0, 10).map((token) => ({ path: '/api/v1/webhooks', token }));
  const load: Calls = { origin: service.origin, method: 'GET', calls, status: 200, seconds: 1 };
  await sendCalls(load);
  const { perSecond: capacity } = await sendCalls(load);
  const seconds = run.isFull ? 6 : 2;
  const pool = new Pool(service.origin, { connections: 1000 });
  const taken: { refusedMs: number[]; accepted: number }[] = [];
  while (taken.length < 3) {
    const [refusedMs, began] = [[] as number[], performance.now()];
    let accepted = 0;
    await pace({ perSecond: 1.2 * capacity, seconds }, async (number) => {
      const due = began + (number * 1000) / (1.2 * capacity);
      const { path = '', token } = calls[number % calls.length] ?? {};
      const headers = { Authorization: `Bearer ${token}` };
      const { statusCode, body } = await pool.request({ path, method: 'GET', headers });
      await body.dump();
      if (statusCode === 200) accepted += 1;
      else if (statusCode === 503) refusedMs.push(performance.now() - due);
      else throw new Error(`got ${statusCode}`);
    });
    taken.push({ refusedMs, accepted: (accepted * 1000) / (performance.now() - began) });
  }
  await pool.close();
  run.add('refusals: refused calls, p99', milliseconds(50), {
    engine,
    samples: taken.map(({ refusedMs }) => ({ value: percentile(refusedMs, 0.99) })),
  });
  run.add('refusals: accepted calls', perSecond(), {
    engine,
    samples: taken.map(({ accepted }) => ({ value: accepted, yardstick: capacity })),
  });
});

type Servers = {
  bare: Awaited<ReturnType<typeof startBareServer>>;
  receiver: Awaited<ReturnType<typeof startReceiver>>;
  service: { origin: string; pid: number };
} & Awaited<ReturnType<typeof fillAccount>>;

function withFilledService(
  measure: (run: BenchRun, engine: Engine, servers: Servers) => Promise<void>,
): Bench {
  return async (run) => {
    const [bare, receiver] = [await startBareServer(), await startReceiver()];
    for (const engine of run.engines) {
      const installed = await installService(engine);
      const service = await installed.start();
      const filled = await fillAccount(
        { origin: service.origin, token: installed.token },
        { receiver, keys: 100, webhooks: 10, conversations: 10 },
      );
      await measure(run, engine, { bare, receiver, service, ...filled });
      await service.stop();
      await installed.remove();
    }
    receiver.stop();
    bare.stop();
  };
}
