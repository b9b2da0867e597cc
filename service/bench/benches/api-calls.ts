import type { HttpLoad } from '../load/http-client.ts';
import type { Bench, BenchRun } from '../running/bench-run.ts';
import { processorTimeOf } from '../running/processor-time.ts';
import { ratesToRow } from '../running/rate.ts';
import type { Rate } from '../running/rate.ts';
import { alternate } from '../running/sample.ts';
import { rows } from '../rows.ts';
import type { Engine, Row } from '../rows.ts';
import { fillAccount, messagesPath } from '../setup/fill-account.ts';
import { startBareServer } from '../setup/start-bare-server.ts';
import type { BareServer } from '../setup/start-bare-server.ts';
import { installService } from '../setup/install-service.ts';
import { startSink } from '../setup/start-sink.ts';
import type { Sink } from '../setup/start-sink.ts';

/** A call to one path, or to several paths in turn. */
type Call = Pick<HttpLoad, 'method' | 'body' | 'status'> & { paths: readonly string[] };

/** Calls before a row counts, so that its code is compiled and its caches are full. */
const warmUpSeconds = 3;

/** The call that the yardstick gets. */
const bareCall: Call = { method: 'GET', paths: ['/'], status: 200 };

/**
 * Calls with the tokens of 100 keys in turn, to a service that is started as an operator starts it.
 */
export const benchApiCalls: Bench = async (run) => {
  const bare = await startBareServer();
  const sink = await startSink();
  for (const engine of run.engines) await measure(run, engine, { bare, sink });
  sink.stop();
  bare.stop();
};

async function measure(
  run: BenchRun,
  engine: Engine,
  { bare, sink }: { bare: BareServer; sink: Sink },
): Promise<void> {
  const installed = await installService(engine);
  const service = await installed.start();
  const { tokens, conversationIds } = await fillAccount(
    { origin: service.origin, token: installed.token },
    { sink, keys: 100, webhooks: 10, conversations: 10 },
  );
  const seconds = run.isFull ? 5 : 1;

  const send = async (
    server: { origin: string; pid: number },
    call: Call,
    forSeconds = seconds,
  ): Promise<Rate> => {
    const { paths, ...others } = call;
    const calls = tokens.map((token, index) => ({
      path: paths[index % paths.length] ?? '',
      token,
    }));
    const usedBefore = processorTimeOf(server.pid);
    const { responses, perSecond } = await run.client.send({
      ...others,
      origin: server.origin,
      calls,
      seconds: forSeconds,
    });
    // Waits until all published events are delivered, so that they do not disturb the next row.
    if (call.method === 'POST') await sink.arrived(responses, messagesPath);
    await sink.take();
    const usedAfter = processorTimeOf(server.pid);
    const isKnown = usedBefore !== null && usedAfter !== null;
    return { perSecond, processorUs: isKnown ? (usedAfter - usedBefore) / responses : null };
  };

  await send(bare, bareCall, warmUpSeconds);
  for (const [row, call] of callsOf(conversationIds)) {
    await send(service, call, warmUpSeconds);
    const taken = await alternate(3, {
      yardstick: () => send(bare, bareCall),
      measure: () => send(service, call),
    });
    run.add(row, { engine, client: run.client.name, ...ratesToRow(taken) });
  }
  await service.stop();
  await installed.remove();
}

function callsOf(conversationIds: readonly number[]): [Row, Call][] {
  const { api } = rows;
  const get = (path: string, status = 200): Call => ({ method: 'GET', paths: [path], status });
  const message: Call = {
    method: 'POST',
    paths: conversationIds.map((id) => `/api/v1/conversations/${id}/messages`),
    body: JSON.stringify({ author: 'agent', text: 'Your order is on its way.' }),
    status: 201,
  };
  return [
    [api.healthz, get('/healthz')],
    [api['authenticated 404'], get('/api/v1/nothing', 404)],
    [api['GET /api-key'], get('/api/v1/api-key')],
    [api['GET /webhooks, 10 rows'], get('/api/v1/webhooks')],
    [api['GET /conversations, 10 rows'], get('/api/v1/conversations')],
    [api['POST messages'], message],
  ];
}
