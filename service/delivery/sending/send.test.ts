import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { TLSSocket } from 'node:tls';
import { brotliCompressSync, deflateSync } from 'node:zlib';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { after, rawResponse, reset, respond } from '../../testing/delivery/receiver.ts';
import { TestSender } from '../../testing/delivery/sender.ts';
import { importSecret } from '../../domain/webhooks/secret/secret.ts';
import { decideOutcome } from '../outcome/decide-outcome.ts';
import { defaultConnectionLimits } from './connecting/connections.ts';
import { receiving, sending } from '../../testing/delivery/sending.ts';

afterEach(() => vi.unstubAllEnvs());

const verdict = { tries: 1, internalErrors: 0, now: new Date(), random: () => 0.5 };

describe('an attempt', () => {
  test('is a POST of the body as it is stored, with the headers of Standard Webhooks', async () => {
    const [receiver, sender] = [await receiving(), sending()];
    const body = '{"type":"message.created","data":{"text":"Grüße 🌍"}}';
    const result = await sender.send(`${receiver.origin}/hooks?a=b%20c`, {
      body,
      messageId: 'msg_42',
      headers: {},
      secrets: [importSecret(`whsec_${randomBytes(32).toString('base64')}`)],
      replayUuid: 'b0f3c1de-0000-4000-8000-000000000000',
    });

    const [request] = receiver.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/hooks?a=b%20c', body });
    const sent = {
      'content-type': 'application/json',
      'user-agent': 'ConversationService-Webhooks/1',
      'webhook-id': 'msg_42',
      'webhook-timestamp': String(sender.clock.now().getTime() / 1000),
      'webhook-signature': expect.stringMatching(/^v1,/) as string,
      'webhook-replay': 'b0f3c1de-0000-4000-8000-000000000000',
    };
    expect(request?.headers).toEqual({
      ...sent,
      host: `127.0.0.1:${receiver.port}`,
      connection: 'keep-alive',
      'content-length': String(Buffer.byteLength(body)),
    });
    const reported = Object.entries(result.requestHeaders);
    expect(
      Object.fromEntries(reported.map(([name, value]) => [name.toLowerCase(), value])),
    ).toEqual(sent);
    expect(result).toMatchObject({
      startedAt: sender.clock.now(),
      response: { statusCode: 204, body: '', isTruncated: false },
      error: null,
    });
    expect(result.durationMs).toBeGreaterThanOrEqual(result.firstByteMs ?? Number.NaN);
  });

  test('carries static headers, whose values no result repeats', async () => {
    const [receiver, sender] = [await receiving(), sending()];
    const value = 'Bearer "s3cr3t\\value"';
    const long = 'x'.repeat(200);
    const bodies = [
      `{"you":${JSON.stringify(value)}} ${value}`,
      `${'.'.repeat(4096 - 100)}${long}`,
    ];
    for (const body of bodies) {
      receiver.respondWith(respond(400, { server: value, 'content-type': 'text/plain' }, body));
      const headers = { Authorization: value, 'X-Long': long };
      const result = await sender.send(receiver.origin, { headers });
      expect(receiver.requests.at(-1)?.headers).toMatchObject({
        authorization: value,
        'x-long': long,
        'content-type': 'application/json',
      });
      expect(result.requestHeaders).toMatchObject({ Authorization: '[hidden]' });
      expect(result.response?.headers).toMatchObject({ server: '[hidden]' });
      expect(result.response?.body).toMatch(/\[hidden\]$/);
      expect(JSON.stringify(result)).not.toMatch(/s3cr3t|xxxx/);
    }
  });

  test('keeps only those response headers that help to find out why it failed', async () => {
    const [receiver, sender] = [await receiving(), sending()];
    receiver.respondWith(
      respond(
        422,
        {
          'Set-Cookie': ['session=1', 'other=2'],
          Authorization: 'Bearer x',
          'X-Api-Key': 'secret',
          'X-Anything': 'secret',
          'Content-Type': 'text/plain',
          'Retry-After': '60',
          'X-Request-Id': 'r'.repeat(1000),
        },
        'no\0 such user',
      ),
    );
    const { response } = await sender.send(receiver.origin);
    expect(response).toMatchObject({ statusCode: 422, body: 'no such user', isTruncated: false });
    const { date, ...headers } = response?.headers ?? {};
    expect(Date.parse(date ?? '')).not.toBeNaN();
    expect(headers).toEqual({
      'content-type': 'text/plain',
      'retry-after': '60',
      'x-request-id': 'r'.repeat(512),
    });
  });

  test.each([301, 302, 303, 307, 308])('does not follow a %i', async (status) => {
    const [receiver, elsewhere, sender] = [await receiving(), await receiving(), sending()];
    receiver.respondWith(respond(status, { location: elsewhere.origin }));
    const result = await sender.send(receiver.origin);
    expect(result).toMatchObject({ response: { statusCode: status }, error: null });
    expect(decideOutcome(result, verdict).kind).toBe('retry');
    expect(elsewhere.requests).toEqual([]);
  });

  test.each<[string, (response: ServerResponse) => void]>([
    ['100 Continue', (response) => response.writeContinue()],
    ['102 Processing', (response) => response.writeProcessing()],
    ['103 Early Hints', (response) => response.writeEarlyHints({ link: '</a>; rel=preload' })],
  ])('takes the response that follows %s, without having asked for it', async (_what, write) => {
    const [receiver, sender] = [await receiving(), sending()];
    receiver.respondWith(({ response }) => {
      write(response);
      write(response);
      response.writeHead(200).end('fine');
    });
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      const result = await sender.send(receiver.origin);
      expect(result).toMatchObject({ response: { statusCode: 200, body: 'fine' }, error: null });
    }
    expect(receiver.connections.opened).toBe(1);
  });

  test('fails if the receiver switches protocols, which ends HTTP on the connection', async () => {
    const [receiver, sender] = [await receiving(), sending()];
    receiver.respondWith(
      rawResponse('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    );
    const result = await sender.send(receiver.origin);
    expect(result).toMatchObject({ response: null, error: { kind: 'invalid_response' } });
    expect(decideOutcome(result, verdict).kind).toBe('retry');
  });

  test('ignores the proxies in environment variables', async () => {
    const [receiver, proxy] = [await receiving(), await receiving()];
    for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY']) {
      vi.stubEnv(name, proxy.origin);
    }
    vi.stubEnv('NODE_USE_ENV_PROXY', '1');
    const result = await sending().send(receiver.origin);
    expect(result.response?.statusCode).toBe(204);
    expect(proxy.connections.opened).toBe(0);
  });

  test.each(['hooks.test', 'hooks.test.'])(
    'to %s sends its name without a dot at the end, as host and TLS server name',
    async (hostname) => {
      const receiver = await receiving({ certificate: 'trusted' });
      let serverName: unknown;
      receiver.respondWith(({ socket, response }) => {
        serverName = socket instanceof TLSSocket && socket.servername;
        response.writeHead(204).end();
      });
      const resolve = vi.fn(async () => [{ address: '127.0.0.1', family: 4 }]);
      const result = await sending({ resolve }).send(`https://${hostname}:${receiver.port}/`);
      expect(result.error).toBeNull();
      expect(receiver.requests[0]?.headers.host).toBe(`hooks.test:${receiver.port}`);
      expect(serverName).toBe('hooks.test');
      // The dot at the end tells the look-up that the name is complete.
      expect(resolve).toHaveBeenCalledWith(hostname);
    },
  );

  test('tries the addresses of a name one after the other', async () => {
    const receiver = await receiving();
    const sender = sending({
      resolve: async () => [
        { address: '::1', family: 6 },
        { address: '127.0.0.1', family: 4 },
      ],
    });
    const result = await sender.send(`http://hooks.test:${receiver.port}/`);
    expect(result.response?.statusCode).toBe(204);
  });
});

describe('a compressed body that ends before its response does', () => {
  test.each([
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('of encoding %s does not complete the attempt', async (encoding, compress) => {
    const [receiver, sender] = [await receiving(), sending({ timeoutMs: 600 })];
    receiver.respondWith(({ response }) => {
      response.writeHead(200, { 'content-encoding': encoding });
      response.write(Buffer.concat([compress('ok'), Buffer.from('and more')]));
    });
    const result = await sender.send(receiver.origin);
    expect(result).toMatchObject({
      response: { statusCode: 200, body: 'ok' },
      error: { kind: 'read_timeout' },
    });
    // Its connection is closed, and not held open for a body that nobody waits for.
    await sender.send(receiver.origin);
    expect(receiver.requests.map(({ connection }) => connection)).toEqual([1, 2]);
  });
});

describe('connections', () => {
  test('are kept alive: the second attempt reuses the connection of the first', async () => {
    const receiver = await receiving({ certificate: 'trusted' });
    const sender = sending();
    await sender.send(receiver.origin, { laneId: 1 });
    await sender.send(receiver.origin, { laneId: 1 });
    expect(receiver.requests.map(({ connection }) => connection)).toEqual([1, 1]);
  });

  test('are opened again after one was lost', async () => {
    const [receiver, sender] = [await receiving(), sending()];
    receiver.respondWith(reset(), respond(200));
    await sender.send(receiver.origin);
    expect((await sender.send(receiver.origin)).response?.statusCode).toBe(200);
  });

  test('are limited for one webhook', async () => {
    const receiver = await receiving();
    receiver.respondWith(after(20, respond(200)));
    const sender = sending({ connectionLimits: { ...defaultConnectionLimits, perLane: 3 } });
    await Promise.all(
      Array.from({ length: 12 }, () => sender.send(receiver.origin, { laneId: 1 })),
    );
    expect(receiver.connections.maxOpen).toBe(3);
  });

  test.each([
    ['webhooks of one origin', { idleLanesPerOrigin: 5 }],
    ['sockets of one origin', { socketsPerOrigin: 5 }],
    ['sockets in all', { sockets: 5 }],
  ])(
    'are kept alive for a limited number of %s, and those used longest ago are closed',
    async (_what, less) => {
      const receiver = await receiving();
      const sender = sending({ connectionLimits: { ...defaultConnectionLimits, ...less } });
      for (let laneId = 1; laneId <= 20; laneId += 1)
        await sender.send(receiver.origin, { laneId });
      await expect.poll(() => receiver.connections.open).toBe(5);
      await sender.send(receiver.origin, { laneId: 20 });
      expect(receiver.connections.opened).toBe(20);
    },
  );

  test('of a hundred webhooks on one origin are all kept', async () => {
    const [receiver, sender] = [await receiving(), sending()];
    for (const round of [1, 2]) {
      for (let laneId = 1; laneId <= 100; laneId += 1) {
        await sender.send(receiver.origin, { laneId });
      }
      expect(receiver.connections.opened, `round ${round}`).toBe(100);
    }
  });

  test('of a webhook that hangs leave those of another webhook on the same origin free', async () => {
    const receiver = await receiving();
    const held: ServerResponse[] = [];
    receiver.respondWith(({ request, response }) => {
      if (request.path === '/well') response.writeHead(204).end();
      else held.push(response);
    });
    const sender = sending({ connectionLimits: { ...defaultConnectionLimits, perLane: 2 } });
    const hung = [1, 2, 3].map(() => sender.send(`${receiver.origin}/hung`, { laneId: 1 }));
    await receiver.received(2);
    const well = await sender.send(`${receiver.origin}/well`, { laneId: 2 });
    expect(well.response?.statusCode).toBe(204);
    expect(held).toHaveLength(2);
    receiver.respondWith(respond(204));
    for (const response of held) response.writeHead(204).end();
    for (const { response } of await Promise.all(hung)) expect(response?.statusCode).toBe(204);
  });

  test('end when the sender is closed, after the open attempts', async () => {
    const receiver = await receiving();
    receiver.respondWith(after(100, respond(200)));
    const sender = new TestSender();
    const attempt = sender.send(receiver.origin);
    await receiver.received(1);
    await sender.close();
    expect((await attempt).response?.statusCode).toBe(200);
    await expect.poll(() => receiver.connections.open).toBe(0);
    sender.log.expectErrors(/our own fault/);
    expect((await sender.send(receiver.origin)).error?.kind).toBe('internal');
  });
});
