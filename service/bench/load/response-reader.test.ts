import { expect, test } from 'vitest';
import { ResponseReader } from './response-reader.ts';

const head = (status: string, ...headers: string[]) =>
  `HTTP/1.1 ${[status, ...headers].join('\r\n')}\r\n\r\n`;

const responses: [name: string, status: number, text: string][] = [
  ['a body with a length', 200, `${head('200 OK', 'Content-Length: 5')}täg\r`],
  ['no body', 204, head('204 No Content')],
  ['a body in chunks', 200, `${head('200 OK', 'transfer-encoding: chunked')}2\r\nab\r\n0\r\n\r\n`],
  ['an empty body in chunks', 404, `${head('404 No', 'Transfer-Encoding: chunked')}0\r\n\r\n`],
];

test.each(responses)('a response with %s ends where it ends', (_, status, text) => {
  const reader = new ResponseReader();
  expect(reader.read(Buffer.from(text))).toBe(status);
  for (const byte of Buffer.from(text).subarray(0, -1)) {
    expect(reader.read(Buffer.from([byte]))).toBeNull();
  }
  expect(reader.read(Buffer.from(text).subarray(-1))).toBe(status);
});
