import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../../config/load-config.ts';
import { targetRulesOf } from '../../../domain/webhooks/target/check-target.ts';
import type { TestSender } from '../../../testing/delivery/sender.ts';
import { receiving, sending } from '../../../testing/delivery/sending.ts';
import { BlockedAddressError, createGuardedConnector } from './connect-guard.ts';
import type { Address } from './resolve-name.ts';
import type { SenderOptions } from '../send.ts';

/** A sender that reaches only addresses that the operator allows: here, only public ones. */
function guarded(environment = {}, options: Partial<SenderOptions> = {}): TestSender {
  return sending({ environment: { WEBHOOK_ALLOWED_CIDRS: '', ...environment }, ...options });
}

const ip = (address: string): Address => ({ address, family: address.includes(':') ? 6 : 4 });

/** A fake name server: each look-up gets the next answer, and the last answer is repeated. */
function nameServer(...answers: string[][]) {
  const asked: string[] = [];
  return {
    asked,
    resolve: async (hostname: string) => {
      asked.push(hostname);
      return (answers[Math.min(asked.length, answers.length) - 1] ?? []).map(ip);
    },
  };
}

describe('an attempt does not reach a private address', () => {
  test.each(
    `127.0.0.1 2130706433 017700000001 0177.0.0.1 0x7f000001 0x7f.1 127.1 127.0.0.2 0.0.0.0 0
     10.0.0.1 100.64.0.1 169.254.169.254 172.16.0.1 192.168.0.1 198.18.0.1 224.0.0.1 240.0.0.1
     255.255.255.255 [::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1]
     [64:ff9b::127.0.0.1] [64:ff9b:1::127.0.0.1] [2002:7f00:1::1] [fd00::1] [fe80::1] [fec0::1]
     [ff02::1]`.split(/\s+/),
  )('spelled %s', async (spelling) => {
    const receiver = await receiving();
    const result = await guarded().send(`http://${spelling}:${receiver.port}/`);
    expect(result.error?.kind).toBe('blocked_address');
    expect(receiver.connections.opened).toBe(0);
  });

  test.each([
    '127.0.0.1',
    '10.1.2.3',
    '169.254.169.254',
    '0.0.0.0',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'fd12::1',
    'fe80::1%lo',
    'not an address',
  ])('that a name leads to: %s', async (address) => {
    const receiver = await receiving();
    const { resolve } = nameServer([address]);
    const result = await guarded({}, { resolve }).send(`http://hooks.test:${receiver.port}/`);
    expect(result.error?.kind).toBe('blocked_address');
    expect(receiver.connections.opened).toBe(0);
  });

  test.each([
    [
      'a private one without the address, which an internal name server may have told',
      '10.1.2.3',
      'hooks.test leads to an address that is not public. The operator can allow it with WEBHOOK_ALLOWED_CIDRS.',
    ],
    [
      'one of this machine with the address',
      '::1',
      'hooks.test leads to ::1, which is not public. The operator can allow it with WEBHOOK_ALLOWED_CIDRS.',
    ],
    [
      'cloud metadata without the setting, which cannot allow it',
      '169.254.169.254',
      'hooks.test leads to an address that cannot receive webhooks.',
    ],
  ])('and the failure names %s', async (_what, address, message) => {
    const { resolve } = nameServer([address]);
    const result = await guarded({}, { resolve }).send('http://hooks.test/');
    expect(result.error).toEqual({ kind: 'blocked_address', message });
  });

  test('that is among the addresses of a name, even if the others are public', async () => {
    const receiver = await receiving();
    const { resolve } = nameServer(['93.184.216.34', '127.0.0.1']);
    const result = await guarded({}, { resolve }).send(`http://hooks.test:${receiver.port}/`);
    expect(result.error?.kind).toBe('blocked_address');
    expect(receiver.connections.opened).toBe(0);
  });

  test('except that of localhost in both families, where the operator allows 127.0.0.0/8', async () => {
    const receiver = await receiving();
    const { resolve } = nameServer(['::1', '127.0.0.1']);
    const sender = guarded({ WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' }, { resolve });
    const result = await sender.send(`http://localhost:${receiver.port}/`);
    expect(result.response?.statusCode).toBe(204);
  });

  test('except those that the operator allows', async () => {
    const receiver = await receiving();
    const { resolve } = nameServer(['127.0.0.1'], ['127.0.0.1', '127.1.0.1']);
    const sender = guarded({ WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/24' }, { resolve });
    const url = `http://hooks.test:${receiver.port}/`;
    expect((await sender.send(url, { laneId: 1 })).response?.statusCode).toBe(204);
    expect((await sender.send(url, { laneId: 2 })).error?.kind).toBe('blocked_address');
  });
});

test.each(['127.0.0.1', '::1', '::ffff:7f00:1', '10.0.0.1'])(
  'the guard itself refuses the literal address %s',
  async (hostname) => {
    const connect = createGuardedConnector({
      origin: new URL('http://hooks.test:8080'),
      rules: targetRulesOf(loadConfig({})),
      resolve: () => Promise.reject(new Error('nothing is to be looked up')),
      connectTimeoutMs: 300,
      ca: undefined,
      maxReceivedBytes: 0,
    });
    const refusal = await new Promise((resolve) => {
      connect({ hostname, protocol: 'http:', port: '8080' }, (...[error]) => resolve(error));
    });
    expect(refusal).toBeInstanceOf(BlockedAddressError);
  },
);

describe('whatever is allowed, an attempt does not reach', () => {
  const everything = { WEBHOOK_ALLOWED_CIDRS: '0.0.0.0/0,::/0' };

  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '0.0.0.0', '127.8.8.8'])(
    'this service itself, at %s',
    async (address) => {
      const receiver = await receiving();
      const { resolve } = nameServer([address]);
      const sender = guarded({ ...everything, PORT: String(receiver.port) }, { resolve });
      const result = await sender.send(`http://hooks.test:${receiver.port}/`);
      expect(result.error?.kind).toBe('blocked_address');
      expect(receiver.connections.opened).toBe(0);
    },
  );

  test.each(['169.254.169.254', 'fd00:ec2::254', '64:ff9b::a9fe:a9fe', '2002:a9fe:a9fe::'])(
    'cloud metadata at %s',
    async (address) => {
      const { resolve } = nameServer([address]);
      const result = await guarded(everything, { resolve }).send('http://hooks.test/');
      expect(result.error?.kind).toBe('blocked_address');
    },
  );
});

describe('a name whose address changes', () => {
  test('between saving and connecting is checked against the address that is connected to', async () => {
    const receiver = await receiving();
    const { resolve } = nameServer(['127.0.0.1']);
    // Saving accepts the name without resolving it.
    const result = await guarded({}, { resolve }).send(
      `http://hooks.example.com:${receiver.port}/`,
    );
    expect(result.error?.kind).toBe('blocked_address');
    expect(receiver.connections.opened).toBe(0);
  });

  test('between look-up and connecting is not resolved again', async () => {
    const receiver = await receiving();
    const names = nameServer(['127.0.0.1'], ['10.0.0.1']);
    const sender = guarded({ WEBHOOK_ALLOWED_CIDRS: '127.0.0.1' }, names);
    const result = await sender.send(`http://hooks.test:${receiver.port}/`);
    expect(result.response?.statusCode).toBe(204);
    expect(names.asked).toEqual(['hooks.test']);
  });

  test('is checked again for every connection', async () => {
    const receiver = await receiving();
    const names = nameServer(['127.0.0.1'], ['10.0.0.1'], ['127.0.0.1']);
    const sender = guarded({ WEBHOOK_ALLOWED_CIDRS: '127.0.0.1' }, names);
    const url = `http://hooks.test:${receiver.port}/`;
    const kinds = [];
    for (const laneId of [1, 2, 3]) kinds.push((await sender.send(url, { laneId })).error?.kind);
    expect(kinds).toEqual([undefined, 'blocked_address', undefined]);
  });
});

test('a name is looked up once for connections that are opened at the same time', async () => {
  const receiver = await receiving();
  const names = nameServer(['127.0.0.1']);
  const sender = guarded({ WEBHOOK_ALLOWED_CIDRS: '127.0.0.1' }, names);
  await Promise.all([1, 2, 3].map(() => sender.send(`http://hooks.test:${receiver.port}/`)));
  expect(names.asked).toEqual(['hooks.test']);
  expect(receiver.requests).toHaveLength(3);
});
