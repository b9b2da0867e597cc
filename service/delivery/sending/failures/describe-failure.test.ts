import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listenOnLoopback, unusedPort } from '#lib/testing/loopback.ts';
import {
  after,
  breakOff,
  endless,
  hang,
  reset,
  respond,
  rawResponse,
  trickle,
} from '../../../testing/delivery/receiver.ts';
import { decideOutcome } from '../../outcome/decide-outcome.ts';
import { receiving, sending } from '../../../testing/delivery/sending.ts';

const verdict = { tries: 1, internalErrors: 0, now: new Date(), random: () => 0.5 };

describe('a failure is explained', () => {
  // Linux reports EACCES for an ICMPv6 message that says “administratively prohibited”.
  test.each([
    ['a name that does not exist', 'ENOTFOUND', 'name_not_found', /^The name \S+ was not found\.$/],
    [
      'a name whose servers do not respond',
      'EAI_AGAIN',
      'name_not_found',
      /could not be looked up/,
    ],
    [
      'a firewall that prohibits the connection',
      'EACCES',
      'connection_refused',
      /^A firewall does not allow connections to hooks\.example\.com\.$/,
    ],
  ])('of %s', async (_what, code, kind, message) => {
    const resolve = () => Promise.reject(Object.assign(new Error('no'), { code }));
    expect(await sending({ resolve }).send('https://hooks.example.com/')).toMatchObject({
      error: { kind, message: expect.stringMatching(message) },
      response: null,
      firstByteMs: null,
    });
  });

  test('of a name without an address', async () => {
    const result = await sending({ resolve: async () => [] }).send('https://hooks.example.com/');
    expect(result.error?.kind).toBe('name_not_found');
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

  // An attempt that counts as an internal error is repeated without end.
  test.each([
    ['something that is not HTTP', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['a status below 100', 'HTTP/1.1 099 No\r\nContent-Length: 0\r\n\r\n'],
    ['a switch to no protocol', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
  ])('of %s, as an error of the receiver', async (_, bytes) => {
    const [receiver, sender] = [await receiving(), sending()];
    receiver.respondWith(rawResponse(bytes));
    expect((await sender.send(receiver.origin)).error).toEqual({
      kind: 'invalid_response',
      message: 'The response of 127.0.0.1 is not valid HTTP.',
    });
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
    const result = await sending({ environment: { WEBHOOK_ALLOW_HTTP: 'false' } }).send(
      receiver.origin,
    );
    expect(result.error).toEqual({
      kind: 'blocked_address',
      message: 'The URL must begin with https://',
    });
    expect(receiver.connections.opened).toBe(0);
  });

  test('of our own, which alone is logged as an error', async () => {
    const [receiver, sender] = [await receiving(), sending()];
    sender.log.expectErrors(/our own fault/);
    const result = await sender.send(receiver.origin, {
      headers: {},
      secrets: [generateKeyPairSync('ed25519').publicKey],
    });
    expect(result.error?.kind).toBe('internal');
    expect(decideOutcome(result, verdict).kind).toBe('our_fault');
    expect(sender.log.entries.filter(({ level }) => level >= 50)).toHaveLength(1);
    expect(receiver.requests).toEqual([]);
  });
});

describe('the time is up', () => {
  test('for connecting, when no TLS handshake comes', async () => {
    const silent = createServer((socket) => void socket.on('error', () => undefined).resume());
    const port = await listenOnLoopback(silent);
    onTestFinished(() => void silent.close());
    const result = await sending({ connectTimeoutMs: 300 }).send(`https://127.0.0.1:${port}/`);
    expect(result.error).toEqual({
      kind: 'connect_timeout',
      message: '127.0.0.1 could not be connected to within 0.3 seconds.',
    });
    expect(result.durationMs).toBeGreaterThanOrEqual(290);
    expect(result.durationMs).toBeLessThan(14_000);
  });

  test('for connecting, when the look-up does not end', async () => {
    const sender = sending({ connectTimeoutMs: 300, resolve: () => new Promise(() => undefined) });
    const result = await sender.send('https://hooks.example.com/');
    expect(result.error?.kind).toBe('connect_timeout');
    expect(result.durationMs).toBeLessThan(14_000);
  });

  test('for the response, when none comes', async () => {
    const [receiver, sender] = [await receiving(), sending({ timeoutMs: 600 })];
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
    const [receiver, sender] = [await receiving(), sending({ timeoutMs: 600 })];
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
    const [receiver, sender] = [await receiving(), sending({ timeoutMs: 600 })];
    receiver.respondWith(after(200, respond(200)));
    const result = await sender.send(receiver.origin);
    expect(result.error).toBeNull();
    expect(result.firstByteMs).toBeGreaterThanOrEqual(190);
  });
});
