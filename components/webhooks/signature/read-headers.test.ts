import { expect, test } from 'vitest';
import { readHeaders } from './read-headers.ts';

const headers = {
  'webhook-id': 'msg_1',
  'webhook-timestamp': '1795350357',
  'webhook-signature': 'v1,abc+/= v1,def=',
};

test.each([
  [
    'HTTP',
    `POST /in HTTP/1.1\r\nCookie: a=b\r\nWebhook-Id: msg_1\r\nwebhook-timestamp:1795350357\r\nwebhook-signature:  v1,abc+/= v1,def= \r\n`,
  ],
  [
    'JSON',
    `{ "cookie": "a", "webhook-id": "msg_1", \n"webhook-timestamp": "1795350357",\n "webhook-signature": "v1,abc+/= v1,def="\n}`,
  ],
  [
    'curl',
    `curl -H 'webhook-id: msg_1' \\\n -H 'webhook-timestamp: 1795350357' \\\n -H 'webhook-signature: v1,abc+/= v1,def=' \\\n`,
  ],
  [
    'PHP',
    `[HTTP_WEBHOOK_ID] => msg_1\n[HTTP_WEBHOOK_TIMESTAMP] => 1795350357\n[HTTP_WEBHOOK_SIGNATURE] => v1,abc+/= v1,def=`,
  ],
])('the headers of a signature are read from %s, and nothing else', (_format, text) => {
  expect(readHeaders(text)).toEqual(headers);
});

test('a header that is missing or empty is left out', () => {
  expect(readHeaders('webhook-id: msg_1\nwebhook-signature:\nx-webhook-timestamp: 1')).toEqual({
    'webhook-id': 'msg_1',
  });
});
