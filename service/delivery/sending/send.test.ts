import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  after,
  breakOff,
  endless,
  hang,
  reset,
  respond,
  rawResponse,
  startReceiver,
  trickle,
  unusedPort,
} from '../../testing/delivery/receiver.ts';
import type { Receiver } from '../../testing/delivery/receiver.ts';
import { TestSender } from '../../testing/delivery/sender.ts';
import { importSecret } from '../../domain/webhooks/secret/secret.ts';
import { decideOutcome } from '../outcome/outcome.ts';
import type { SenderOptions } from './send.ts';
import { defaultConnectionLimits } from './connecting/connections.ts';

afterEach(() => vi.unstubAllEnvs());

async function receiving(options?: Parameters<typeof startReceiver>[0]): Promise<Receiver> {
  const receiver = await startReceiver(options);
  onTestFinished(async () => await receiver.close());
  return receiver;
}

function sending(options: Partial<SenderOptions> = {}, environment = {}): TestSender {
  const sender = new TestSender(environment, options);
  onTestFinished(async () => {
    await sender.close();
    sender.log.assertNoUnexpectedErrors();
  });
  return sender;
}

const verdict = { tries: 1, internalErrors: 0, now: new Date(), random: () => 0.5 };

describe('an attempt', () => {
  test('is a POST of the body as it is stored, with the headers of Standard Webhooks', async () => {
    const [receiver, sender] = [await receiving(), sending()];
    const body = '{"type":"message.created","data":{"text":"Grüße 🌍"}}';
    const result = await sender.send(`${receiver.origin}/hooks?a=b%20c`, {
      body,
      messageId: 'msg_42',
      replayUuid: 'b0f3c1de-0000-4000-8000-000000000000',
    });

    const [request] = receiver.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/hooks?a=b%20c', body });
    const sent = {
      'content-type': 'application/json',
      'user-agent': 'ConversationService-Webhooks/1',
      'webhook-id': 'msg_42',
      'webhook-timestamp': String(sender.clock.now().getTime() / 1000),
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

  test('is signed so that the reference library verifies it as it arrived', async () => {
    const [receiver, sender] = [await receiving(), sending()];
    sender.clock.advance(Date.now() - sender.clock.now().getTime());
    const secrets = [1, 2].map(() => `whsec_${randomBytes(32).toString('base64')}`);
    await sender.send(receiver.origin, { secrets: secrets.map(importSecret) });
    const [request] = receiver.requests;
    for (const secret of secrets) {
      const headers = request?.headers as Record<string, string>;
      expect(new Webhook(secret).verify(request?.body ?? '', headers)).toBeDefined();
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

  test('takes a response after 103 Early Hints', async () => {
    const [receiver, sender] = [await receiving(), sending()];
    receiver.respondWith(({ response }) => {
      response.writeEarlyHints({ link: '</a>; rel=preload' });
      response.writeHead(200).end('fine');
    });
    const result = await sender.send(receiver.origin);
    expect(result).toMatchObject({ response: { statusCode: 200, body: 'fine' }, error: null });
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

  test('sends the name of the receiver as host and TLS server name', async () => {
    const receiver = await receiving({ certificate: 'trusted' });
    const sender = sending({ resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
    const result = await sender.send(`https://hooks.test:${receiver.port}/`);
    expect(result.error).toBeNull();
    expect(receiver.requests[0]?.headers.host).toBe(`hooks.test:${receiver.port}`);
  });

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

describe('a failure is explained', () => {
  test('of a name that does not exist', async () => {
    const sender = sending({
      resolve: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })),
    });
    const result = await sender.send('https://hooks.example.com/');
    expect(result.error).toEqual({
      kind: 'name_not_found',
      message: 'The name hooks.example.com was not found.',
    });
    expect(result).toMatchObject({ response: null, firstByteMs: null });
  });

  test('of a name without an address', async () => {
    const result = await sending({ resolve: async () => [] }).send('https://hooks.example.com/');
    expect(result.error?.kind).toBe('name_not_found');
  });

  test('of a name whose servers do not respond', async () => {
    const sender = sending({
      resolve: () => Promise.reject(Object.assign(new Error('no'), { code: 'EAI_AGAIN' })),
    });
    const result = await sender.send('https://hooks.example.com/');
    expect(result.error?.message).toMatch(/could not be looked up/);
  });

  test('of a port where nothing listens', async () => {
    const result = await sending().send(`http://127.0.0.1:${await unusedPort()}/`);
    expect(result.error).toEqual({
      kind: 'connection_refused',
      message: '127.0.0.1 refused the connection: nothing listens on that port.',
    });
  });

  test('of a name whose addresses all refuse', async () => {
    const sender = sending({
      resolve: async () => [
        { address: '127.0.0.1', family: 4 },
        { address: '127.0.0.2', family: 4 },
      ],
    });
    const result = await sender.send(`http://hooks.test:${await unusedPort()}/`);
    expect(result.error?.kind).toBe('connection_refused');
  });

  test('of a connection that is reset, before and within the response', async () => {
    const [receiver, sender] = [await receiving(), sending()];
    receiver.respondWith(reset(), breakOff());
    const before = await sender.send(receiver.origin);
    expect(before).toMatchObject({ response: null, error: { kind: 'connection_reset' } });
    const within = await sender.send(receiver.origin);
    expect(within).toMatchObject({
      response: { statusCode: 200, body: 'the first part' },
      error: {
        kind: 'connection_reset',
        message: '127.0.0.1 closed the connection before its response was complete.',
      },
    });
    expect(decideOutcome(within, verdict).kind).toBe('retry');
  });

  test.each([
    ['expired', 'The TLS certificate of hooks.test has expired.'],
    ['self-signed', 'The TLS certificate of hooks.test is self-signed.'],
    ['wrong-name', 'The TLS certificate of hooks.test is for another name.'],
    ['weak-key', 'The TLS certificate of hooks.test was rejected: EE certificate key too weak.'],
  ] as const)('of a certificate that is %s', async (certificate, message) => {
    const receiver = await receiving({ certificate });
    const sender = sending({ resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
    const result = await sender.send(`https://hooks.test:${receiver.port}/`);
    expect(result.error).toEqual({ kind: 'tls', message });
    expect(receiver.requests).toEqual([]);
  });

  test('of a certificate of an authority that is not trusted', async () => {
    const receiver = await receiving({ certificate: 'trusted' });
    const result = await sending({ ca: undefined }).send(receiver.origin);
    expect(result.error?.kind).toBe('tls');
    expect(result.error?.message).toMatch(/that is not trusted/);
  });

  test('of https where http is spoken', async () => {
    const receiver = await receiving();
    const result = await sending().send(`https://127.0.0.1:${receiver.port}/`);
    expect(result.error?.kind).toBe('tls');
  });

  test('of something that is not HTTP', async () => {
    const [receiver, sender] = [await receiving(), sending()];
    receiver.respondWith(rawResponse('SSH-2.0-OpenSSH_9.9\r\n'));
    expect((await sender.send(receiver.origin)).error?.kind).toBe('invalid_response');
  });

  test('of endless headers', async () => {
    const [receiver, sender] = [await receiving(), sending()];
    receiver.respondWith(
      rawResponse(`HTTP/1.1 200 OK\r\n${`x: ${'y'.repeat(1000)}\r\n`.repeat(40)}\r\n`),
    );
    const { error } = await sender.send(receiver.origin);
    expect(error).toEqual({
      kind: 'invalid_response',
      message: 'The headers of the response are larger than 16 KiB.',
    });
  });

  test('of an endless body, whose status still counts', async () => {
    const [receiver, sender] = [await receiving(), sending()];
    receiver.respondWith(endless());
    const result = await sender.send(receiver.origin);
    expect(result).toMatchObject({
      response: { statusCode: 200, body: 'a'.repeat(4096), isTruncated: true },
      error: {
        kind: 'response_too_large',
        message: 'The response is larger than 64 KiB. The rest was not read.',
      },
    });
    expect(decideOutcome(result, verdict).kind).toBe('delivered');
    await expect.poll(() => receiver.connections.open).toBe(0);
  });

  test('of an http address where only https is allowed', async () => {
    const receiver = await receiving();
    const result = await sending({}, { WEBHOOK_ALLOW_HTTP: 'false' }).send(receiver.origin);
    expect(result.error).toEqual({
      kind: 'blocked_address',
      message: 'The address must begin with https://',
    });
    expect(receiver.connections.opened).toBe(0);
  });

  test('of our own, which alone is logged as an error', async () => {
    const [receiver, sender] = [await receiving(), sending()];
    sender.log.expectErrors(/our own fault/);
    const result = await sender.send(receiver.origin, {
      secrets: [generateKeyPairSync('ed25519').publicKey],
    });
    expect(result.error?.kind).toBe('internal');
    expect(decideOutcome(result, verdict).kind).toBe('our_fault');
    expect(sender.log.entries.filter(({ level }) => level >= 50)).toHaveLength(1);
    expect(receiver.requests).toEqual([]);
  });
});

describe('the time is up', () => {
  const patience = { connectTimeoutMs: 300, timeoutMs: 600 };

  test('for connecting, when no TLS handshake comes', async () => {
    const silent = createServer((socket) => void socket.on('error', () => undefined).resume());
    await new Promise<void>((resolve) => {
      silent.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const result = await sending(patience).send(`https://127.0.0.1:${port}/`);
    expect(result.error).toEqual({
      kind: 'connect_timeout',
      message: '127.0.0.1 could not be connected to within 0.3 seconds.',
    });
    expect(result.durationMs).toBeGreaterThanOrEqual(290);
    expect(result.durationMs).toBeLessThan(590);
  });

  test('for connecting, when the look-up does not end', async () => {
    const sender = sending({ ...patience, resolve: () => new Promise(() => undefined) });
    const result = await sender.send('https://hooks.example.com/');
    expect(result.error?.kind).toBe('connect_timeout');
    expect(result.durationMs).toBeLessThan(590);
  });

  test('for the response, when none comes', async () => {
    const [receiver, sender] = [await receiving(), sending(patience)];
    receiver.respondWith(hang());
    const result = await sender.send(receiver.origin);
    expect(result).toMatchObject({
      firstByteMs: null,
      response: null,
      error: {
        kind: 'response_timeout',
        message: '127.0.0.1 took the request but did not respond within 0.6 seconds.',
      },
    });
    expect(result.durationMs).toBeGreaterThanOrEqual(590);
    await expect.poll(() => receiver.connections.open).toBe(0);
  });

  test('for the body, when it trickles, and the part that arrived is kept', async () => {
    const [receiver, sender] = [await receiving(), sending(patience)];
    receiver.respondWith(trickle(50));
    const result = await sender.send(receiver.origin);
    expect(result.error).toEqual({
      kind: 'read_timeout',
      message: '127.0.0.1 began to respond but did not finish within 0.6 seconds.',
    });
    expect(result.response?.body).toMatch(/^\.+$/);
    expect(result.durationMs).toBeGreaterThanOrEqual(590);
    await expect.poll(() => receiver.connections.open).toBe(0);
  });

  test('not for a response that is slow but in time', async () => {
    const [receiver, sender] = [await receiving(), sending(patience)];
    receiver.respondWith(after(200, respond(200)));
    const result = await sender.send(receiver.origin);
    expect(result.error).toBeNull();
    expect(result.firstByteMs).toBeGreaterThanOrEqual(190);
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
    receiver.respondWith(({ request, response }) => {
      if (request.path === '/well') response.writeHead(204).end();
    });
    const limits = { ...defaultConnectionLimits, perLane: 2 };
    const sender = sending({ connectionLimits: limits, timeoutMs: 2000 });
    const hung = [1, 2, 3].map(() => sender.send(`${receiver.origin}/hung`, { laneId: 1 }));
    await receiver.received(2);
    const well = await sender.send(`${receiver.origin}/well`, { laneId: 2 });
    expect(well.response?.statusCode).toBe(204);
    expect(well.durationMs).toBeLessThan(1000);
    receiver.respondWith(respond(204));
    await Promise.all(hung);
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
