import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listenOnLoopback, unusedPort } from '#lib/testing/loopback.ts';
import { dayMs } from '#lib/durations.ts';
import { runAdmin } from '../admin.ts';
import { describeBackup, describeDisk } from './doctor.ts';
import { addMigratedDatabase } from '../testing/databases/migrated-data-folder.ts';
import { startMailServer } from '../testing/mails/mail-server.ts';
import { useTemporaryFolder } from '../testing/temporary-folder.ts';
import { version } from '../version.ts';

const dataDir = useTemporaryFolder();

/** What responds at PUBLIC_URL. */
async function startFront({ health = { status: 'ok', version }, signIn = 200 } = {}) {
  const server = createServer((request, response) => {
    if (request.url === '/healthz') response.end(JSON.stringify(health));
    else response.writeHead(signIn).end();
  });
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${await listenOnLoopback(server)}`;
}

/** Checks an installation in a folder of its own. */
async function examined(settings: Record<string, string>, ...args: string[]) {
  const folder = join(dataDir, crypto.randomUUID());
  const environment = { DATA_DIR: folder, PUBLIC_URL: 'http://127.0.0.1:9', ...settings };
  return await runAdmin(['doctor', ...args], environment, { triesInUse: 1, pause: async () => {} });
}

test('an embedded installation in order is found to be in order, and gets an email in its outbox', async () => {
  const folder = join(dataDir, 'in-order');
  await addMigratedDatabase(folder);
  await chmod(folder, 0o700);
  const settings = { DATA_DIR: folder, PUBLIC_URL: await startFront() };
  const outcome = await examined(settings, 'ann@example.com');
  expect(outcome.text).toMatch(/^ok +database +embedded PostgreSQL 18/m);
  expect(outcome.text).toMatch(/^ok +PUBLIC_URL +the service and its pages respond/m);
  expect(outcome.text).toMatch(/^note +mail +wrote an email to ann@example\.com/m);
  expect(outcome.text).toMatch(/^ok +disk +[\d.]+ GiB/m);
  expect(outcome.text).toMatch(/^note +backup +There is none\. Run: npm run admin -- backup/m);
  expect(outcome.text).toMatch(/^ok +deliveries +are not on hold/m);
  expect(outcome).toMatchObject({
    exitCode: 0,
    text: expect.stringMatching(/Nothing is wrong\.$/),
  });
  const outbox = await runAdmin(['outbox'], settings);
  expect(outbox.text).toContain('Emails of 127.0.0.1');
}, 60_000);

test('everything else is checked even if there is no installation', async () => {
  const outcome = await examined({});
  expect(outcome.exitCode).toBe(1);
  expect(outcome.text).toMatch(/^wrong +database +There is no installation in the data folder/m);
  expect(outcome.text).toMatch(/^ok +configuration/m);
  expect(outcome.text).toMatch(/^note +mail +Emails are written to DATA_DIR\/outbox/m);
  expect(outcome.text).toMatch(/^wrong +PUBLIC_URL +.*Start the service and the proxy/m);
});

test('a Redis that refuses the connection is wrong, and named with its address', async () => {
  const port = await unusedPort();
  const { text } = await examined({ REDIS_URL: `redis://127.0.0.1:${port}` });
  expect(text).toMatch(
    new RegExp(`^wrong +Redis +connect ECONNREFUSED 127.0.0.1:${port}\\. Check that`, 'm'),
  );
});

test('a wrong setting is named, with what it must be', async () => {
  const outcome = await examined({ PORT: 'many' });
  expect(outcome).toMatchObject({ exitCode: 1, text: expect.stringContaining('  PORT must be') });
});

describe('mail', () => {
  test('is checked with the mail server, and sent if an address is given', async () => {
    const { url, received } = await startMailServer();
    expect((await examined({ SMTP_URL: url })).text).toMatch(/^ok +mail +the mail server lets/m);
    expect(received).toEqual([]);
    const sent = await examined({ SMTP_URL: url }, 'ann@example.com');
    expect(sent.text).toMatch(/^ok +mail +the mail server accepted an email to ann@example\.com/m);
    expect(received).toMatchObject([{ to: 'RCPT TO:<ann@example.com>' }]);
  });

  test('that a server refuses is wrong, with what to correct', async () => {
    const { url } = await startMailServer({ unknown: ['ann@example.com'] });
    const refused = await examined({ SMTP_URL: url }, 'ann@example.com');
    expect(refused.text).toMatch(/^wrong +mail +.*550.*Correct SMTP_URL/m);
    const closed = await examined({ SMTP_URL: `smtp://127.0.0.1:${await unusedPort()}` });
    expect(closed.text).toMatch(/^wrong +mail +.*ECONNREFUSED.*Correct SMTP_URL/m);
  });
});

test.each([
  [{ health: { status: 'parked', version } }, /^wrong .*Another program responded to/m],
  [{ health: { status: 'ok', version: '0.0.1' } }, /^note .*Version 0\.0\.1 runs at/m],
  [{ signIn: 421 }, /^wrong .*pass on the header Host, or add its address to TRUSTED_PROXIES/m],
  [{ signIn: 500 }, /^wrong .*The sign-in page responds with 500/m],
])('PUBLIC_URL with %j is reported with what to do', async (front, finding) => {
  const { text } = await examined({ PUBLIC_URL: await startFront(front) });
  expect(text).toMatch(finding);
});

test('a Redis that cannot be reached is wrong, with what to correct', async () => {
  const { text } = await examined({ REDIS_URL: `redis://127.0.0.1:${await unusedPort()}` });
  expect(text).toMatch(/^wrong +Redis +.*Check that the server runs, and correct REDIS_URL/m);
});

test('files that other users may read are named with the command that protects them', async () => {
  const folder = join(dataDir, 'open');
  await mkdir(folder, { mode: 0o700 });
  await writeFile(join(folder, 'secret-key'), '');
  await chmod(join(folder, 'secret-key'), 0o644);
  const { text } = await examined({ DATA_DIR: folder });
  expect(text).toMatch(/^wrong +file modes +.*chmod go-rwx \S+\/open\/secret-key$/m);
});

test('a file of a setting that every user may read is named, and one for a group is in order', async () => {
  const SMTP_URL_FILE = join(dataDir, 'smtp-url');
  await writeFile(SMTP_URL_FILE, 'smtp://127.0.0.1:9');
  await chmod(SMTP_URL_FILE, 0o644);
  expect((await examined({ SMTP_URL_FILE })).text).toMatch(
    /^note +file modes +.*chmod o-rwx \S+\/smtp-url$/m,
  );
  await chmod(SMTP_URL_FILE, 0o640);
  expect((await examined({ SMTP_URL_FILE })).text).toMatch(/^ok +file modes/m);
});

test('a disk that is nearly full is wrong if the embedded database is on it', () => {
  const folder = '/data';
  const free = 100 * 1024 ** 2;
  expect(describeDisk(free, { dataDir: folder, databaseUrl: null })).toMatchObject({
    state: 'wrong',
    says: expect.stringMatching(/^Only 0\.1 GiB are free for \/data\. Free some space/),
  });
  expect(describeDisk(free, { dataDir: folder, databaseUrl: 'postgres://db' })).toBe(
    '0.1 GiB are free for /data',
  );
});

test('a backup is named with its time, and one older than a week with how to make the next', () => {
  const last = new Date('2030-05-01T10:00:00Z');
  expect(describeBackup(last, last.getTime() + 7 * dayMs)).toMatch(
    /^the last one is of 1 May 2030/,
  );
  expect(describeBackup(last, last.getTime() + 8 * dayMs)).toMatchObject({
    state: 'note',
    says: expect.stringMatching(/^The last one is 8 days old .*admin -- backup <file>/),
  });
});
