import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { newToken } from './token.ts';
import { newLinkToken } from '../domain/people/links.ts';
import { newPassword } from '../domain/people/passwords/set-password.ts';
import { dataOf, TestApi } from '../testing/api.ts';
import { addPerson } from '../testing/records/people.ts';
import { signInWithPassword } from '../testing/sign-in.ts';
import { useContext } from '../testing/use-api.ts';

const rounds = 20;

const ctx = useContext({ config: { rateLimitPerMinute: 1000 } });

test.each<[string, () => Promise<() => string | Promise<string>>, number, number]>([
  ['token', async () => () => newToken().slice('sk_live_'.length, -6), 62, 32],
  ['signing secret', newSigningSecret, 64, 43],
  ['token of a link', async () => newLinkToken, 64, 43],
  ['handed-over password', async () => () => newPassword().replaceAll('-', ''), 32, 28],
  ['session', newSessionToken, 64, 43],
])(
  'a %s is random each time, with at least 2^128 possible values',
  async (_what, prepare, letters, length) => {
    expect(length * Math.log2(letters)).toBeGreaterThanOrEqual(128);
    const draw = await prepare();
    const drawn: string[] = [];
    for (let round = 0; round < rounds; round += 1) drawn.push(await draw());
    for (const value of drawn) expect(value.length).toBeGreaterThanOrEqual(length);
    expect(new Set(drawn).size).toBe(rounds);
    // A position that never changes, or has few different letters, adds less randomness than its
    // length suggests.
    for (let place = 0; place < length; place += 1) {
      expect(new Set(drawn.map((value) => value[place])).size).toBeGreaterThan(4);
    }
    // Each session needs the hash of a password, which is slow on purpose.
  },
  60_000,
);

test('no secret can come from Math.random: the product never calls it', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const sources = ['service', 'lib', 'app', 'components'].flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.test.ts'))
      .map((path) => join(root, room, path)),
  );
  expect(sources.length).toBeGreaterThan(100);
  const callers = sources.filter((path) => readFileSync(path, 'utf8').includes('Math.random'));
  expect(callers).toEqual([]);
});

async function newSigningSecret(): Promise<() => Promise<string>> {
  const api = new TestApi(ctx);
  const { token } = await (await api.account()).key();
  const made = await api.call('POST', '/api/v1/webhooks', {
    token,
    body: { name: 'Hook', url: 'https://example.com/', events: ['message.created'] },
  });
  const { id } = dataOf(made);
  return async () => {
    const path = `/api/v1/webhooks/${id}/regenerate-secret`;
    const response = await api.call('POST', path, { token, body: { grace_period_seconds: 0 } });
    const { secret } = dataOf<{ secret: string }>(response);
    const drawn = secret.slice('whsec_'.length);
    expect(Buffer.from(drawn, 'base64')).toHaveLength(32);
    return drawn;
  };
}

async function newSessionToken(): Promise<() => Promise<string>> {
  const password = 'correct horse battery';
  const passwordHash = await ctx.auth.hashPassword(password);
  const { email } = await addPerson(ctx, { passwordHash });
  return async () => {
    const session = await signInWithPassword(ctx.auth, {
      email,
      password,
      ip: '203.0.113.7',
      userAgent: null,
    });
    return session?.sessionToken ?? '';
  };
}
