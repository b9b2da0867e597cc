import { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { handleInBatches } from './handle-in-batches.ts';

let server: Server;
let handled: string[];

beforeEach(() => {
  server = new Server();
  handled = [];
  handleInBatches(server, ({ url }) => handled.push(url ?? ''));
});

function arrive(url: string): ServerResponse {
  const request = new IncomingMessage(new Socket());
  request.url = url;
  const response = new ServerResponse(request);
  server.emit('request', request, response);
  return response;
}

test('requests that arrive in one turn are handled together, in their order and once each', async () => {
  arrive('/1');
  arrive('/2');
  expect(handled).toEqual([]);
  await setImmediate();
  expect(handled).toEqual(['/1', '/2']);
  arrive('/3');
  await setImmediate();
  expect(handled).toEqual(['/1', '/2', '/3']);
});

test('a request whose client has disconnected by then is not handled', async () => {
  arrive('/1').destroy();
  arrive('/2');
  await setImmediate();
  expect(handled).toEqual(['/2']);
});
