import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { errorTable } from '#lib/contract/error-codes.ts';
import type { ErrorCode } from '#lib/contract/error-codes.ts';
import { useListener } from '../../testing/http/test-listener.ts';

const listener = useListener();

describe('what is not a valid request', () => {
  const post = 'POST /api HTTP/1.1\r\nHost: localhost\r\n';
  const last = 'Host: localhost\r\nConnection: close\r\n';

  test.each([
    ['noise', 'hello\r\n\r\n', 'BAD_REQUEST'],
    ['a missing Host', 'GET /api HTTP/1.1\r\nConnection: close\r\n\r\n', 'BAD_REQUEST'],
    ['two Hosts', `GET /api HTTP/1.1\r\nhost: other.example\r\n${last}\r\n`, 'BAD_REQUEST'],
    ['two lengths', `${post}Content-Length: 1\r\nContent-Length: 2\r\n\r\nx`, 'BAD_REQUEST'],
    [
      'length and chunks',
      `${post}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      'BAD_REQUEST',
    ],
    ['a name with a space', `GET / HTTP/1.1\r\n${last}A b: c\r\n\r\n`, 'BAD_REQUEST'],
    ['too many headers', `GET / HTTP/1.1\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`, 'HEADERS_TOO_LARGE'],
    ['a path that is too long', `GET /${'x'.repeat(17_000)} HTTP/1.1\r\n\r\n`, 'HEADERS_TOO_LARGE'],
    ['a whole URL', `GET http://localhost/api HTTP/1.1\r\n${last}\r\n`, 'BAD_REQUEST'],
    ['no path', `OPTIONS * HTTP/1.1\r\n${last}\r\n`, 'BAD_REQUEST'],
  ])('%s is refused in the error envelope, with a request id', async (_, bytes, code) => {
    expect(await listener.write(bytes)).toMatch(refusal(code as ErrorCode));
  });

  test('a request that takes too long to arrive is refused in the error envelope', async () => {
    const patience = { headersTimeout: 50, requestTimeout: 50, connectionsCheckingInterval: 10 };
    await listener.reopen({ patience });
    expect(await listener.write('GET /api HTTP/1.1\r\nHost: local')).toMatch(
      refusal('REQUEST_TIMEOUT'),
    );
  });

  test.each([
    [
      'a host that is none',
      'GET /api/v1/webhooks HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n',
    ],
    ['no host, in HTTP/1.0', 'GET /api/v1/webhooks HTTP/1.0\r\n\r\n'],
    [
      'a wish to connect elsewhere',
      'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n',
    ],
  ])('%s is refused in the error envelope', async (_, bytes) => {
    expect(await listener.write(bytes)).toMatch(refusal('BAD_REQUEST'));
  });

  test('invalid bytes after a request are refused once the request has its response', async () => {
    const bytes = `GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\nnoise\r\n\r\n`;
    expect(await listener.write(bytes)).toMatch(
      /^HTTP\/1.1 200 .*\{"status":"ok"\}\r\n0\r\n\r\nHTTP\/1.1 400 .*"BAD_REQUEST"[^\r]*$/s,
    );
  });

  test('noise in a body that is already refused does not change the response', async () => {
    const socket = connect(listener.port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => (received += String(chunk)));
    socket.write(`${post}Transfer-Encoding: chunked\r\n\r\n`);
    await once(socket, 'data');
    socket.write('noise\r\n');
    await once(socket, 'close');
    expect(received.match(/HTTP\/1.1 /g)).toHaveLength(1);
  });

  test('an unknown Expect header is ignored', async () => {
    const bytes = `GET /healthz HTTP/1.1\r\n${last}Expect: everything\r\n\r\n`;
    expect(await listener.write(bytes)).toMatch(/^HTTP\/1.1 200 /);
  });

  /** The complete response of Node or the listener, with all required headers. */
  function refusal(code: ErrorCode): RegExp {
    const { status, message } = errorTable[code];
    const body = JSON.stringify({ success: false, error: { code, message } });
    const headers = ['content-type: application/json', 'cache-control: no-store']
      .concat(`content-length: ${Buffer.byteLength(body)}`, 'x-request-id: [0-9a-f-]{36}')
      .map((header) => `(?=.*\\r\\n${header}\\r\\n)`);
    const end = RegExp.escape(`\r\n\r\n${body}`);
    return new RegExp(`^HTTP/1\\.1 ${status} ${headers.join('')}.*${end}$`, 'is');
  }

  test('a client that hangs up during a request does no harm', async () => {
    const socket = connect(listener.port, '127.0.0.1');
    socket.write('POST /api HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nx');
    socket.destroy();
    expect((await listener.ask('/healthz')).status).toBe(200);
  });
});
