// Runs as a separate process, so that the cost of flooding is not measured together with the cost
// of receiving. Prints its ports as JSON, and ends when its standard input closes.
import { createServer as createTcpServer } from 'node:net';
import type { Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { listenOnLoopback } from '#lib/testing/loopback.ts';
import { certificates } from './certificates.ts';

/** What is sent once, and what is then repeated for as long as the caller reads. */
type Flood = {
  begin?: string;
  repeat: string;
  /** The pause between two repetitions; without it, as fast as the caller reads. */
  everyMs?: number;
};

const filler = 'x'.repeat(16_000);
const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n';
const interim = 'HTTP/1.1 103 Early Hints\r\nlink: </style.css>; rel=preload\r\n\r\n';

/** Floods by the path of the request. */
const floods: Record<string, Flood> = {
  '/interim-responses': { repeat: interim.repeat(500) },
  '/large-interim-responses': {
    repeat: `HTTP/1.1 103 Early Hints\r\nx-a: ${filler}\r\n\r\n`.repeat(4),
  },
  '/interim-responses-with-reasons': { repeat: `HTTP/1.1 103 ${filler.repeat(4)}\r\n\r\n` },
  '/slow-interim-responses': { repeat: interim, everyMs: 200 },
  '/continue': { repeat: 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(500) },
  '/status-line': { begin: 'HTTP/1.1 200 ', repeat: filler.repeat(4) },
  '/blank-lines': { repeat: '\r\n'.repeat(30_000) },
  '/headers': { begin: 'HTTP/1.1 200 OK\r\n', repeat: 'a: b\r\n'.repeat(10_000) },
  '/header': { begin: 'HTTP/1.1 200 OK\r\nx-a: ', repeat: filler.repeat(4) },
  '/header-spaces': { begin: 'HTTP/1.1 200 OK\r\nx-a:', repeat: ' '.repeat(64_000) },
  '/chunk-extensions': {
    begin: `${chunked}\r\n`,
    repeat: `1;a=${filler}\r\na\r\n`.repeat(4),
  },
  '/chunk-extension': { begin: `${chunked}\r\n1;a=`, repeat: filler.repeat(4) },
  '/chunk-size': { begin: `${chunked}\r\n`, repeat: '0'.repeat(64_000) },
  '/small-chunks': { begin: `${chunked}\r\n`, repeat: '1\r\na\r\n'.repeat(10_000) },
  '/small-gzip-chunks': {
    begin: `${chunked}content-encoding: gzip\r\n\r\n`,
    // Empty members: endless valid gzip that decodes to nothing.
    repeat: Array.from(
      gzipSync('').toString('latin1').repeat(500),
      (byte) => `1\r\n${byte}\r\n`,
    ).join(''),
  },
  '/trailers': { begin: `${chunked}\r\n1\r\na\r\n0\r\n`, repeat: 'a: b\r\n'.repeat(10_000) },
  '/trailer-spaces': { begin: `${chunked}\r\n1\r\na\r\n0\r\nx-a:`, repeat: ' '.repeat(64_000) },
  '/after-the-response': {
    begin: 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\na',
    repeat: '\r\n'.repeat(30_000),
  },
};

function serve(socket: Socket): void {
  socket.on('error', () => undefined);
  socket.once('data', (request: Buffer) => {
    const path = /^POST (\S+) /.exec(request.toString('latin1'))?.[1] ?? '';
    const flood = floods[path];
    if (path === '/renegotiations') renegotiate(socket as TLSSocket);
    else if (flood) pour(socket, flood);
    else socket.end('HTTP/1.1 204 No Content\r\n\r\n');
    socket.resume();
  });
}

function pour(socket: Socket, { begin = '', repeat, everyMs }: Flood): void {
  const bytes = Buffer.from(repeat, 'latin1');
  socket.write(begin, 'latin1');
  if (everyMs !== undefined) {
    const timer = setInterval(() => socket.write(bytes), everyMs);
    socket.once('close', () => clearInterval(timer));
    return;
  }
  const go = () => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.on('drain', go);
  go();
}

/** Endless handshakes, which only TLS 1.2 lets a server request; no byte of HTTP is sent. */
function renegotiate(socket: TLSSocket): void {
  if (socket.destroyed) return;
  socket.renegotiate({}, () => renegotiate(socket));
}

const plain = createTcpServer(serve);
const secure = createTlsServer(certificates.trusted, serve);
const older = createTlsServer({ ...certificates.trusted, maxVersion: 'TLSv1.2' }, serve);
for (const server of [secure, older]) server.on('tlsClientError', () => undefined);

const ports = {
  http: await listenOnLoopback(plain),
  https: await listenOnLoopback(secure),
  tls12: await listenOnLoopback(older),
};
process.stdout.write(JSON.stringify(ports));
process.stdin.resume().once('end', () => process.exit());
