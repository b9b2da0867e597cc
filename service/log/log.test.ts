import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { newToken } from '../token.ts';
import { people } from '../db/schema.ts';
import { createLogger, openLogDestination } from './log.ts';
import { openTestDatabase } from '../testing/databases/database.ts';

const token = newToken();
const secret = ['whsec', Buffer.alloc(32, 250).toString('base64')].join('_');

function linesOf(act: (log: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  act(
    createLogger({
      level: 'trace',
      isPretty: false,
      destination: { write: (line) => lines.push(line) },
    }),
  );
  return lines.join('');
}

test.each<[string, (log: ReturnType<typeof createLogger>) => void]>([
  ['in the message', (log) => log.info(`called with ${token} and ${secret}`)],
  ['in any field', (log) => log.info({ anything: [{ deep: token }], other: secret }, 'x')],
  ['in an error', (log) => log.error({ err: new Error(`bad ${token} ${secret}`) }, 'x')],
  [
    'in a header',
    (log) => log.info({ headers: { authorization: `Bearer ${token}`, cookie: secret } }, 'x'),
  ],
])('a token or signing secret %s is not written', (_, act) => {
  const lines = linesOf(act);
  expect(lines).not.toContain(token.slice(8));
  expect(lines).not.toContain(secret.slice(6));
});

test.each([
  'password',
  'cookie',
  'authorization',
  'x-dashboard-session',
  'secretKey',
  'device_token',
])('what is called %s is not written, whatever it holds', (name) => {
  const lines = linesOf((log) => {
    log.info({ [name]: 'hunter22' }, 'top');
    log.info({ request: { [name]: 'hunter22' } }, 'inside');
    log.info({ request: { headers: { [name]: 'hunter22' } } }, 'deeper');
  });
  expect(lines).not.toContain('hunter22');
  expect(lines.match(/\[redacted\]/g)).toHaveLength(3);
});

test('every line stays JSON', () => {
  const lines = linesOf((log) => log.info({ token, secret }, token));
  expect(JSON.parse(lines)).toMatchObject({ token: '[redacted]', msg: 'sk_live_[redacted]' });
});

test('a failed statement is written without its parameters, with its cause and where it failed', async () => {
  const database = await openTestDatabase(
    'pglite',
    createLogger({ level: 'silent', isPretty: false }),
  );
  const person = {
    id: 'hunter22',
    name: 'hunter22\nparams: hunter22',
    email: 'hunter22@example.com',
  };
  const insert = () => database.db.insert(people).values(person);
  await insert();
  const error: unknown = await insert().then(
    () => null,
    (caught: unknown) => caught,
  );
  await database.close();

  expect(String(error)).toContain('hunter22');
  const lines = linesOf((log) => log.error({ err: error }, 'x'));
  expect(lines).not.toContain('hunter22');
  const { err } = JSON.parse(lines) as { err: Described };
  expect(err.type).toBe('DrizzleQueryError');
  expect(err.message).toMatch(/^Failed query: insert into "people"/);
  expect(err.stack).toContain('log.test.ts');
  expect(err.cause?.code).toBe('23505');
  expect(err.cause?.message).toContain('people_pkey');
});

type Described = {
  type: string;
  message: string;
  stack: string;
  code?: string;
  cause?: Described;
};

test.runIf(existsSync('/dev/full'))('a log that cannot be written to ends nothing', () => {
  const destination = openLogDestination('/dev/full');
  const log = createLogger({ level: 'info', isPretty: false, destination });
  for (let line = 0; line < 2000; line += 1) log.info('x'.repeat(1000));
});
