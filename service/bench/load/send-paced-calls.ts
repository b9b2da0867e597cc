import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { PacedResponses, PacedLoad, PacedResult } from './paced-calls.ts';
import { ResponseReader } from './response-reader.ts';

// Runs as a separate process (paced-calls.ts). Each call is sent when it is due, or as soon as a
// connection is free. Its time counts from when it was due, so that a service that stalls is also
// measured by the calls that come meanwhile.

/**
 * Calls that are due before do not count, because code is not compiled yet and the load only
 * begins.
 */
const warmUpSeconds = 0.3;

process.once(
  'message',
  (load: PacedLoad) =>
    void send(load).then(post, (error: unknown) => {
      post({ problem: error instanceof Error ? error.message : String(error) });
    }),
);

// The parent process may have failed.
process.on('disconnect', () => process.exit());

function post(result: PacedResult): void {
  process.send?.(result);
}

async function send(load: PacedLoad): Promise<PacedResponses> {
  const { promise: problem, reject } = Promise.withResolvers<never>();
  const client = new PacedClient(load, reject);
  return await Promise.race([client.sendAll(), problem]);
}

class PacedClient {
  readonly #load: PacedLoad;
  readonly #requests: readonly Buffer[];
  readonly #fail: (error: Error) => void;
  readonly #free: ((due: number) => void)[] = [];
  /** The due times of calls that wait for a free connection, the earliest first. */
  readonly #waiting: number[] = [];
  readonly #tookMs: Record<number, number[]> = {};
  readonly #allResponded = Promise.withResolvers<void>();
  readonly #total: number;
  #countsFrom = 0;
  #sent = 0;
  #responses = 0;

  constructor(load: PacedLoad, fail: (error: Error) => void) {
    this.#load = load;
    this.#requests = load.requests.map((text) => Buffer.from(text));
    this.#fail = fail;
    this.#total = Math.round(load.perSecond * (warmUpSeconds + load.seconds));
  }

  async sendAll(): Promise<PacedResponses> {
    const { port, connections, perSecond } = this.#load;
    const sockets = Array.from({ length: connections }, () =>
      connect(port, '127.0.0.1').setNoDelay(),
    );
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    for (const socket of sockets) this.#use(socket);
    const start = performance.now();
    this.#countsFrom = start + warmUpSeconds * 1000;
    for (let call = 0; call < this.#total; call += 1) {
      const due = start + (call * 1000) / perSecond;
      const earlyMs = due - performance.now();
      if (earlyMs > 0) await pause(Math.ceil(earlyMs));
      const sendNow = this.#free.pop();
      if (sendNow) sendNow(due);
      else this.#waiting.push(due);
    }
    await this.#allResponded.promise;
    return { tookMs: this.#tookMs, seconds: (performance.now() - this.#countsFrom) / 1000 };
  }

  #use(socket: Socket): void {
    const reader = new ResponseReader();
    let due = 0;
    const sendRequest = (dueAt: number) => {
      due = dueAt;
      this.#sent += 1;
      socket.write(this.#requests[this.#sent % this.#requests.length] ?? '');
    };
    socket.on('data', (bytes) => {
      const status = reader.read(bytes);
      if (status === null) return;
      if (due >= this.#countsFrom) (this.#tookMs[status] ??= []).push(performance.now() - due);
      this.#responses += 1;
      if (this.#responses === this.#total) this.#allResponded.resolve();
      const next = this.#waiting.shift();
      if (next === undefined) this.#free.push(sendRequest);
      else sendRequest(next);
    });
    socket.on('error', this.#fail);
    socket.on('close', () => this.#fail(new Error('a connection was closed')));
    this.#free.push(sendRequest);
  }
}
