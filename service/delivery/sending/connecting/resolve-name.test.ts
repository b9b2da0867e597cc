import { pbkdf2 } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startNameServer } from '../../../testing/delivery/name-server.ts';
import type { NameAnswer, NameQuestion } from '../../../testing/delivery/name-server.ts';
import { TestSender } from '../../../testing/delivery/sender.ts';
import { createResolve } from './resolve-name.ts';
import type { ResolveOptions } from './resolve-name.ts';
import { temporaryFolder } from '../../../testing/temporary-folder.ts';

/** A `resolve` with a fake name server and its own hosts and resolv files. */
async function resolving(
  answer: (question: NameQuestion) => NameAnswer,
  { hosts = '', resolv = '', ...options }: Partial<ResolveOptions> & Record<string, unknown> = {},
) {
  const { asked, server } = await startNameServer(answer);
  const folder = temporaryFolder();
  const [hostsFile, resolvFile] = [join(folder, 'hosts'), join(folder, 'resolv.conf')];
  await writeFile(hostsFile, String(hosts));
  await writeFile(resolvFile, String(resolv));
  const resolve = createResolve({ servers: [server], hostsFile, resolvFile, ...options });
  const addressesOf = async (name: string) =>
    (await resolve(name)).map(({ address, family }) => `${address} ${family}`);
  return { asked, resolve, addressesOf, hostsFile };
}

const both = ({ type }: NameQuestion) =>
  type === 'A' ? ['192.0.2.1', '192.0.2.2'] : ['2001:db8:0:0:0:0:0:1'];

describe('names whose servers never respond', () => {
  test('delay neither other names nor hashing, and fail when their time is up', async () => {
    const answer = (question: NameQuestion) =>
      question.name === 'well.example.com' ? both(question) : 'silence';
    const { resolve } = await resolving(answer, { timeoutMs: 1500 });
    let failed = 0;
    const lookUps = Array.from({ length: 100 }, async (_, number) => {
      await expect(resolve(`silent-${number}.example.com`)).rejects.toMatchObject({
        code: 'ETIMEOUT',
      });
      failed += 1;
    });
    expect(await resolve('well.example.com')).toHaveLength(3);
    await promisify(pbkdf2)('password', 'salt', 1, 32, 'sha256');
    expect(failed).toBe(0);
    await Promise.all(lookUps);
  });

  test('are explained, and count as a time-out', async () => {
    const { resolve } = await resolving(() => 'silence', { timeoutMs: 100 });
    const sender = new TestSender({}, { resolve, connectTimeoutMs: 20_000, timeoutMs: 20_000 });
    onTestFinished(() => sender.close());
    expect((await sender.send('https://silent.example.com/')).error).toEqual({
      kind: 'connect_timeout',
      message:
        'The name silent.example.com could not be looked up: its name servers did not respond in time.',
    });
  });
});

describe('a name', () => {
  test('has the addresses of both families', async () => {
    const { addressesOf } = await resolving(both);
    expect(await addressesOf('hooks.example.com')).toEqual([
      '192.0.2.1 4',
      '192.0.2.2 4',
      '2001:db8::1 6',
    ]);
  });

  test.each<[string, NameAnswer]>([
    ['has none', []],
    ['is not known', 'NXDOMAIN'],
    ['fails', 'SERVFAIL'],
    ['is never told', 'silence'],
  ])('has those of one family when the other %s', async (_what, other) => {
    const only = (family: NameQuestion['type']) => (question: NameQuestion) =>
      question.type === family ? both(question) : other;
    const options = { otherFamilyMs: 20 };
    const four = await resolving(only('A'), options);
    expect(await four.addressesOf('hooks.example.com')).toEqual(['192.0.2.1 4', '192.0.2.2 4']);
    const six = await resolving(only('AAAA'), options);
    expect(await six.addressesOf('hooks.example.com')).toEqual(['2001:db8::1 6']);
  });

  test.each<[string, NameAnswer, string]>([
    ['nobody knows is not found', 'NXDOMAIN', 'ENOTFOUND'],
    ['without an address is not found', [], 'ENOTFOUND'],
    ['whose servers fail may be tried again', 'SERVFAIL', 'EAI_AGAIN'],
  ])('that %s', async (_what, answer, code) => {
    const { resolve } = await resolving(() => answer);
    await expect(resolve('hooks.example.com')).rejects.toMatchObject({ code });
  });

  test('that is not a valid name is not found', async () => {
    const { resolve } = await resolving(both);
    const label = 'a'.repeat(64);
    await expect(resolve(`${label}.example.com`)).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });
});

describe('the hosts file', () => {
  const hosts = [
    '# what the operator wrote',
    '10.0.0.1 inner Alias.Internal # two names',
    'fd00::1\tinner',
    'no-address other',
  ].join('\n');

  test.each([
    ['inner', ['10.0.0.1 4', 'fd00::1 6']],
    ['alias.internal', ['10.0.0.1 4']],
    ['ALIAS.internal.', ['10.0.0.1 4']],
  ])('is used first: %s', async (name, addresses) => {
    const { addressesOf, asked } = await resolving(both, { hosts });
    expect(await addressesOf(name)).toEqual(addresses);
    expect(asked).toEqual([]);
  });

  test('is read again when it changes, and may be missing', async () => {
    const { addressesOf, hostsFile } = await resolving(() => 'NXDOMAIN', { hosts });
    expect(await addressesOf('inner')).toHaveLength(2);
    await writeFile(hostsFile, '10.0.0.2 inner other');
    expect(await addressesOf('inner')).toEqual(['10.0.0.2 4']);
    await rm(hostsFile);
    await expect(addressesOf('inner')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });
});

test.each(['localhost', 'app.localhost', 'LOCALHOST.'])(
  '%s is this machine, and no name server is asked',
  async (name) => {
    const { addressesOf, asked } = await resolving(both);
    expect(await addressesOf(name)).toEqual(['127.0.0.1 4', '::1 6']);
    expect(asked).toEqual([]);
  },
);

test.each([
  ['service', ['service.ns.svc.cluster.local', 'service.cluster.local', 'service']],
  [
    'service.other',
    ['service.other.ns.svc.cluster.local', 'service.other.cluster.local', 'service.other'],
  ],
  [
    'a.b.example.com',
    ['a.b.example.com', 'a.b.example.com.ns.svc.cluster.local', 'a.b.example.com.cluster.local'],
  ],
  ['service.', ['service']],
])('search domains and ndots count: %s', async (name, order) => {
  const resolv = [
    'nameserver 192.0.2.53',
    'search ignored.example',
    'options edns0 ndots:3',
    'search ns.svc.cluster.local cluster.local.',
  ].join('\n');
  const { resolve, asked } = await resolving(() => 'NXDOMAIN', { resolv });
  await expect(resolve(name)).rejects.toMatchObject({ code: 'ENOTFOUND' });
  expect(asked.filter(({ type }) => type === 'A').map((each) => each.name)).toEqual(order);
});

test('a search domain whose servers fail does not hide the name itself', async () => {
  const answer = (question: NameQuestion) =>
    question.name.endsWith('.broken.example') ? 'SERVFAIL' : both(question);
  const resolv = 'search broken.example\noptions ndots:5';
  const { addressesOf } = await resolving(answer, { resolv });
  expect(await addressesOf('hooks.example.com')).toHaveLength(3);
});
