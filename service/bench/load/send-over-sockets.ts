import { connect } from 'node:net';
import type { OwnLoad, OwnResult } from './own-client.ts';
import { ResponseReader } from './response-reader.ts';

// Runs as a separate process (own-client.ts): each connection sends its next request once the last
// response is complete.

process.once(
  'message',
  (load: OwnLoad) =>
    void send(load).then(post, (error: unknown) => {
      post({ problem: error instanceof Error ? error.message : String(error) });
    }),
);

// The parent process may have failed.
process.on('disconnect', () => process.exit());

function post(result: OwnResult): void {
  process.send?.(result);
}

async function send(load: OwnLoad): Promise<OwnResult> {
  const requests = load.requests.map((text) => Buffer.from(text));
  const began = performance.now();
  const until = began + load.seconds * 1000;
  let turn = 0;
  let responses = 0;
  const next = () => requests[(turn += 1) % requests.length] ?? '';
  const connection = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(load.port, '127.0.0.1').setNoDelay();
      const reader = new ResponseReader();
      socket.on('connect', () => socket.write(next()));
      socket.on('data', (bytes) => {
        const status = reader.read(bytes);
        if (status === null) return;
        if (status !== load.status) reject(new Error(`got ${status}`));
        responses += 1;
        if (performance.now() < until) socket.write(next());
        else socket.destroy();
      });
      socket.on('error', reject);
      socket.on('close', () => resolve());
    });
  await Promise.all(Array.from({ length: load.connections }, connection));
  return { responses, perSecond: (responses * 1000) / (performance.now() - began) };
}
