import { spawn } from 'node:child_process';
import { channel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { respond, startReceiver } from '../../../testing/delivery/receiver.ts';
import { TestSender } from '../../../testing/delivery/sender.ts';
import { collectGarbage } from '../../../testing/processes/used-memory.ts';
import type { AttemptErrorKind } from '#lib/contract/deliveries/attempt-errors.ts';
import { decideOutcome } from '../../outcome/decide-outcome.ts';

/**
 * The most processor time that an attempt may take, no matter what its receiver sends. Without
 * bounds each of these floods keeps a core busy until the attempt times out.
 */
const maxCpuMs = 150;
const maxReadBytes = 400 * 1024;
const patient = { connectTimeoutMs: 5000, timeoutMs: 10_000 };

const script = fileURLToPath(
  new URL('../../../testing/delivery/flooding-receiver.ts', import.meta.url),
);
const flooding = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
let ports: Record<'http' | 'https' | 'tls12', number>;

/** Every TCP socket that this process connects, also those below TLS. */
const connected: Socket[] = [];
const connections = channel('net.client.socket');
const note = (message: unknown) => void connected.push((message as { socket: Socket }).socket);

beforeAll(async () => {
  const [printed] = (await once(flooding.stdout, 'data')) as [Buffer];
  ports = JSON.parse(printed.toString()) as typeof ports;
  connections.subscribe(note);
  // Code that is compiled at first use must not count as part of a flood.
  for (const path of ['/none', '/small-chunks', '/headers']) await meet(path);
});
afterAll(async () => {
  connections.unsubscribe(note);
  flooding.stdin.end();
  await once(flooding, 'close');
});

/**
 * Makes an attempt at the flooding receiver and measures it. If it took long, which other programs
 * on the same processor can cause, the lowest of three measurements counts.
 */
async function meet(path: string, port: keyof typeof ports = 'http', patience = patient) {
  let met = await meetOnce(path, port, patience);
  for (let again = 1; again < 3 && met.cpuMs >= maxCpuMs; again += 1) {
    // Garbage of earlier tests must not count as part of the flood.
    collectGarbage();
    const next = await meetOnce(path, port, patience);
    if (next.cpuMs < met.cpuMs) met = next;
  }
  return met;
}

async function meetOnce(path: string, port: keyof typeof ports, patience: typeof patient) {
  const sender = new TestSender({}, patience);
  connected.length = 0;
  const before = process.cpuUsage();
  const scheme = port === 'http' ? 'http' : 'https';
  const result = await sender.send(`${scheme}://127.0.0.1:${ports[port]}${path}`);
  const areEnded = connected.every(({ destroyed }) => destroyed);
  await Promise.all(connected.map(closed));
  const { user, system } = process.cpuUsage(before);
  await sender.close();
  return {
    ...result,
    outcome: decideOutcome(result, {
      tries: 1,
      internalErrors: 0,
      now: new Date(),
      random: () => 0.5,
    }).kind,
    areEnded,
    cpuMs: (user + system) / 1000,
    readBytes: connected.reduce((sum, { bytesRead }) => sum + bytesRead, 0),
  };
}

async function closed(socket: Socket): Promise<void> {
  if (socket.closed) return;
  await new Promise((resolve) => {
    socket.once('close', resolve);
  });
}

const interim = 'The receiver sent too many interim responses (1xx) before its final response.';
const head = 'The receiver sent too much before the headers of its response were complete.';
const around =
  'The receiver sent too much around the body of its response: chunk sizes, chunk extensions or trailers. The rest was not read.';
const pieces =
  'The receiver sent the body of its response in too many small chunks. The rest was not read.';

type Flood = [path: string, kind: AttemptErrorKind, message: string];

const floods: Flood[] = [
  ['/interim-responses', 'too_many_interim_responses', interim],
  ['/large-interim-responses', 'too_many_interim_responses', interim],
  ['/interim-responses-with-reasons', 'too_many_interim_responses', interim],
  ['/continue', 'too_many_interim_responses', interim],
  ['/status-line', 'invalid_response', head],
  ['/blank-lines', 'invalid_response', head],
  ['/headers', 'invalid_response', 'The headers of the response are larger than 16 KiB.'],
  ['/header', 'invalid_response', 'The headers of the response are larger than 16 KiB.'],
  ['/header-spaces', 'invalid_response', head],
  // The rest come after the status, which still counts.
  ['/chunk-extensions', 'response_too_large', around],
  ['/chunk-extension', 'response_too_large', around],
  ['/chunk-size', 'response_too_large', around],
  ['/small-chunks', 'response_too_large', pieces],
  ['/small-gzip-chunks', 'response_too_large', pieces],
  [
    '/trailers',
    'response_too_large',
    'The trailers of the response are larger than 16 KiB. The rest was not read.',
  ],
  ['/trailer-spaces', 'response_too_large', around],
];

describe.each(['http', 'https'] as const)('a receiver that floods over %s', (port) => {
  test.each(floods)('with %s is cut off at little cost', async (path, kind, message) => {
    const met = await meet(path, port);
    expect(met.error).toEqual({ kind, message });
    expect(met.areEnded).toBe(true);
    const isWithin = kind === 'response_too_large';
    expect(met.response?.statusCode).toBe(isWithin ? 200 : undefined);
    expect(met.outcome).toBe(isWithin ? 'delivered' : 'retry');
    expect(met.cpuMs).toBeLessThan(maxCpuMs);
    expect(met.readBytes).toBeLessThan(maxReadBytes);
  });

  test('after its response loses the connection that was kept alive', async () => {
    const met = await meet('/after-the-response', port);
    expect(met).toMatchObject({ error: null, response: { statusCode: 200, body: 'a' } });
    expect(met.cpuMs).toBeLessThan(maxCpuMs);
    expect(met.readBytes).toBeLessThan(maxReadBytes);
  });
});

test('a receiver that sends an interim response now and then is cut off when the time is up', async () => {
  const met = await meet('/slow-interim-responses', 'http', { ...patient, timeoutMs: 1500 });
  expect(met.error).toEqual({
    kind: 'response_timeout',
    message: '127.0.0.1 took the request but did not respond within 1.5 seconds.',
  });
  expect(met.durationMs).toBeGreaterThanOrEqual(1490);
  expect(met.areEnded).toBe(true);
});

test('a receiver that requests TLS handshakes without end is cut off after some', async () => {
  const met = await meet('/renegotiations', 'tls12');
  expect(met.error).toEqual({ kind: 'invalid_response', message: head });
  expect(met.areEnded).toBe(true);
  expect(met.readBytes).toBeLessThan(2 * maxReadBytes);
});

test.each([undefined, 'trusted'] as const)(
  'the receive limit of a connection starts again with each request (certificate: %s)',
  async (certificate) => {
    const receiver = await startReceiver(certificate ? { certificate } : {});
    onTestFinished(async () => await receiver.close());
    const plain = respond(200, {}, 'a'.repeat(60_000));
    const encoded = respond(200, { 'content-encoding': 'gzip' }, gzipSync('a'.repeat(60_000)));
    receiver.respondWith(plain, encoded, plain, plain, encoded, plain, plain, plain);
    const sender = new TestSender({}, patient);
    onTestFinished(async () => await sender.close());
    const errors = [];
    for (let count = 0; count < 12; count += 1) {
      errors.push((await sender.send(receiver.origin, { laneId: 1 })).error);
    }
    expect(errors).toEqual(Array.from({ length: 12 }, () => null));
    expect(receiver.connections.opened).toBe(1);
  },
);

test('a response in many chunks after many interim responses is accepted', async () => {
  const receiver = await startReceiver();
  onTestFinished(async () => await receiver.close());
  receiver.respondWith(async ({ response }) => {
    for (let count = 0; count < 16; count += 1) {
      response.writeEarlyHints({ link: '</a.css>; rel=preload' });
    }
    response.writeHead(200, { 'content-type': 'text/plain', trailer: 'x-sum' });
    for (let count = 0; count < 2000; count += 1) response.write('twenty-eight byte response..');
    response.addTrailers({ 'x-sum': '1' });
    response.end();
  });
  const sender = new TestSender({}, patient);
  onTestFinished(async () => await sender.close());
  const result = await sender.send(receiver.origin);
  expect(result).toMatchObject({ error: null, response: { statusCode: 200 } });
});
