import { randomBytes } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newToken } from '../tokens/token.ts';
import { people } from '../db/schema/people/people.ts';
import { newPassword } from '../domain/people/passwords/set-password.ts';
import { newAppSecret } from '../domain/people/second-factors/authenticator-app.ts';
import { newRecoveryCode } from '../domain/people/second-factors/recovery-codes.ts';
import { createLogger, openLogDestination } from './log.ts';
import { openTestDatabase } from '../testing/databases/database.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

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

test.each(
  `password cookie authorization x-dashboard-session secretKey device_token session_token
   set_up_token pending_token invitation_token reset_token confirm_token revoke_token
   pending-sign-in current_password new_password passwordHash challenge recovery_code
   recovery_codes recoveryCodes sealedSecret`.split(/\s+/),
)('a field with the name %s is not written, regardless of its value', (name) => {
  const lines = linesOf((log) => {
    log.info({ [name]: 'hunter22' }, 'top');
    log.info({ request: { [name]: 'hunter22' } }, 'inside');
    log.info({ request: { headers: { [name]: 'hunter22' } } }, 'deeper');
  });
  expect(lines).not.toContain('hunter22');
  expect(lines.match(/\[redacted\]/g)).toHaveLength(3);
});

const linkToken = randomBytes(32).toString('base64url');
const { key, uri } = newAppSecret(
  { cipher: { seal: () => Buffer.alloc(0), open: () => '' } },
  { personId: 'ida', email: 'ida@example.com' },
);
const recoveryCode = newRecoveryCode();

test.each([
  [
    'the link of an email',
    `https://service.example/invitation#${linkToken}`,
    new RegExp(linkToken),
  ],
  ['the address of an app', uri, new RegExp(key)],
  ['the key of an app', key, new RegExp(key)],
  ['a recovery code', recoveryCode, new RegExp(recoveryCode.slice(5))],
  ['a password for an operator to hand over', newPassword(), /[a-z2-9]{4}-[a-z2-9]{4}/],
])('%s is never written: not in a message, an error, or a field', (_what, text, secretPart) => {
  const lines = linesOf((log) => {
    log.info(`there is ${text}`);
    log.info({ anything: [{ deep: text }] }, 'x');
    log.error({ err: new Error(`bad ${text}`) }, 'x');
  });
  expect(lines).not.toMatch(secretPart);
  expect(lines.match(/\[redacted\]/g)?.length).toBeGreaterThanOrEqual(4);
});

test.each(['418205', '418 205'])('the code of an app (%s) is not written', (code) => {
  const lines = linesOf((log) => {
    log.info({ code }, 'top');
    log.info({ request: { body: JSON.stringify({ code }) } }, 'as text');
  });
  expect(lines).not.toContain(code);
});

test('a text that only resembles a code stays as it is', () => {
  const uuid = 'c1b5c7de-4a8e-4d4c-9f5e-2b7a93d6e8fa';
  const lines = linesOf((log) => log.info({ uuid, status: 200200, code: '23505' }, 'x'));
  expect(JSON.parse(lines)).toMatchObject({ uuid, status: 200200, code: '23505' });
});

test('every line is valid JSON', () => {
  const lines = linesOf((log) => log.info({ token, secret }, token));
  expect(JSON.parse(lines)).toMatchObject({ token: '[redacted]', msg: 'sk_live_[redacted]' });
});

test('a failed statement is logged without its parameters, with its cause and stack', async () => {
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
  log.fatal('the end');
});

test('a process whose log is closed already ends without an error', () => {
  const code = `const { openLogDestination } = await import(${JSON.stringify(import.meta.resolve('./log.ts'))});
    openLogDestination(2).destroy();`;
  execFileSync(process.execPath, ['--input-type=module', '--eval', code]);
});

test('lines are written in blocks, and a warning immediately', async () => {
  const file = join(temporaryFolder(), 'log');
  const destination = openLogDestination(openSync(file, 'w'));
  const log = createLogger({ level: 'info', isPretty: false, destination });
  log.info('first');
  expect(readFileSync(file, 'utf8')).toBe('');
  log.warn('second');
  expect(messagesIn(file)).toEqual(['first', 'second']);
  for (let line = 0; line < 100; line += 1) log.info('x'.repeat(100));
  expect(messagesIn(file).length).toBeGreaterThan(30);
  destination.end();
  expect(messagesIn(file)).toHaveLength(102);
});

function messagesIn(file: string): unknown[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => (JSON.parse(line) as { msg: unknown }).msg);
}
