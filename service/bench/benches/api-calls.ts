import type { HttpLoad } from '../load/http-client.ts';
import type { Bench, BenchRun } from '../running/bench-run.ts';
import { alternate, samplesOf } from '../running/sample.ts';
import { rows } from '../rows.ts';
import type { Engine, Row } from '../rows.ts';
import { startBareServer } from '../setup/start-bare-server.ts';
import type { BareServer } from '../setup/start-bare-server.ts';
import { installService } from '../setup/start-service.ts';
import { startSink } from '../setup/start-sink.ts';
import type { Sink } from '../setup/start-sink.ts';

const keyCount = 100;
/** The hooks and conversations that there are to list. */
const listed = 10;

type Call = { row: Row } & Pick<HttpLoad, 'method' | 'path' | 'body' | 'status'>;

/** Calls with bearer tokens, answered by the service as it is started by an operator. */
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
  const seconds = run.isFull ? 5 : 1;
  const { client } = run;
  const installed = await installService(engine);
  const service = await installed.start();
  const { tokens, calls } = await fill(service.origin, installed.token, sink);
  const bareLoad = { ...bareCall, origin: bare.origin, tokens, seconds };
  await client.send(bareLoad);
  for (const { row, ...call } of calls) {
    const load = { ...call, origin: service.origin, tokens, seconds };
    const send = async () => {
      const { answered, perSecond } = await client.send(load);
      // What was published is sent meanwhile, and what is left must not disturb what comes next.
      if (call.method === 'POST') await sink.arrived(answered, publishing);
      await sink.take();
      return perSecond;
    };
    await send();
    const taken = await alternate(3, {
      yardstick: async () => (await client.send(bareLoad)).perSecond,
      measure: send,
    });
    const samples = samplesOf(taken, (perSecond) => perSecond);
    run.add(row, { engine, samples, client: client.name });
  }
  await service.stop();
  await installed.remove();
}

const bareCall = { method: 'GET', path: '/', status: 200 } as const;

/** Where messages are sent that the calls publish. */
const publishing = '/messages';

/** Makes keys, and what there is to list; the calls that are measured. */
async function fill(
  origin: string,
  token: string,
  sink: Sink,
): Promise<{ tokens: string[]; calls: Call[] }> {
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${origin}/api/v1${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (answer.status !== 201) throw new Error(`${path}: ${await answer.text()}`);
    return ((await answer.json()) as { data: Record<string, unknown> }).data;
  };
  const tokens: string[] = [];
  for (let made = 1; made <= keyCount; made += 1) {
    const key = await post('/api-keys', { name: `Key ${made}`, type: 'full' });
    tokens.push(String(key['token']));
  }
  let conversationId: unknown;
  for (let made = 1; made <= listed; made += 1) {
    const [path, event] =
      made === 1 ? [publishing, 'message.created'] : [`/hook-${made}`, 'conversation.closed'];
    await post('/webhooks', {
      name: `Webhook ${made}`,
      url: `${sink.origin}${path}`,
      events: [event],
    });
    conversationId = (await post('/conversations', { subject: `Order ${made}` }))['id'];
  }
  return { tokens, calls: callsOf(String(conversationId)) };
}

function callsOf(conversationId: string): Call[] {
  const { api } = rows;
  const get = (row: Row, path: string, status = 200): Call => ({
    row,
    method: 'GET',
    path,
    status,
  });
  return [
    get(api.healthz, '/healthz'),
    get(api['authenticated 404'], '/api/v1/nothing', 404),
    get(api['GET /api-key'], '/api/v1/api-key'),
    get(api['GET /webhooks, 10 rows'], '/api/v1/webhooks'),
    get(api['GET /conversations, 10 rows'], '/api/v1/conversations'),
    {
      row: api['POST messages'],
      method: 'POST',
      path: `/api/v1/conversations/${conversationId}/messages`,
      body: JSON.stringify({ author: 'agent', text: 'Your order is on its way.' }),
      status: 201,
    },
  ];
}
