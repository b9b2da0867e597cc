import { once } from 'node:events';
import { connect } from 'node:net';
import type { CallsToSend, Sent } from './calls.ts';

// Runs as a separate process (calls.ts) that uses as little of the machine as possible: each
// connection sends its next prepared request as soon as the last response has ended.

process.once('message', (calls: CallsToSend) => {
  send(calls).then(
    (sent) => process.send?.(sent),
    (error: unknown) => process.send?.({ problem: String(error) }),
  );
});

// The parent process may have failed.
process.on('disconnect', () => process.exit());

async function send({ port, requests, status, connections, seconds }: CallsToSend): Promise<Sent> {
  const bytesOf = requests.map((request) => Buffer.from(request));
  let [turn, responses] = [0, 0];
  const next = () => bytesOf[(turn += 1) % bytesOf.length] ?? '';
  const sockets = Array.from({ length: connections }, () =>
    connect(port, '127.0.0.1').setNoDelay(),
  );
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const began = performance.now();
  const until = began + seconds * 1000;
  await Promise.all(
    sockets.map(async (socket) => {
      const reader = new ResponseReader();
      socket.write(next());
      for await (const bytes of socket as AsyncIterable<Buffer>) {
        const answered = reader.read(bytes);
        if (answered === null) continue;
        if (answered !== status) throw new Error(`got ${answered} instead of ${status}`);
        responses += 1;
        if (performance.now() >= until) break;
        socket.write(next());
      }
    }),
  );
  return { responses, perSecond: (responses * 1000) / (performance.now() - began) };
}

/** Finds where each response on a connection ends. */
class ResponseReader {
  #text = '';

  /** The status of the response that these bytes complete; null if it is not complete yet. */
  read(bytes: Buffer): number | null {
    // One character for each byte, so that lengths match.
    this.#text += bytes.toString('latin1');
    const bodyAt = this.#text.indexOf('\r\n\r\n') + 4;
    if (bodyAt < 4) return null;
    const length = /\r\ncontent-length: *(\d+)/i.exec(this.#text)?.[1];
    const isWhole =
      length === undefined
        ? this.#text.endsWith('0\r\n\r\n')
        : this.#text.length >= bodyAt + Number(length);
    if (!isWhole) return null;
    const status = Number(this.#text.slice(9, 12));
    this.#text = '';
    return status;
  }
}
