import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { unusedPort } from '#lib/testing/loopback.ts';
import type { Logger } from '../log/log.ts';
import { TestLog } from '../testing/logger.ts';
import { startMailServer } from '../testing/mails/mail-server.ts';
import { createMailer } from './mailer.ts';
import type { Mail } from './mail.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const publicUrl = new URL('https://keys.example.com');
const mail: Mail = {
  kind: 'webhook.failing',
  to: 'ida@example.com',
  subject: 'A webhook keeps failing',
  paragraphs: ['Grüße.', 'Look at the webhook "Orders".'],
  action: { label: 'Open the webhook', url: `${publicUrl.origin}/settings/webhooks` },
};

let dataDir: string;
beforeEach(() => {
  dataDir = temporaryFolder();
});

const log = new TestLog();
const quick = { pausesMs: [1, 1] };
type SendOptions = { mails?: Mail[]; logger?: Logger } & Parameters<typeof createMailer>[1];
const config = (smtpUrl: string | null) => ({
  smtpUrl,
  mailFrom: { name: '', address: 'no-reply@example.com' },
  dataDir,
  publicUrl,
});

/** Sends emails in one mailer. */
async function sendAll(
  smtpUrl: string | null,
  { mails = [mail], logger = log.logger, ...options }: SendOptions = {},
): Promise<void> {
  const mailer = createMailer({ config: config(smtpUrl), log: logger }, options);
  for (const each of mails) mailer.send(each);
  await mailer.close();
}

/** The emails that a service without a mail server wrote. */
async function readOutbox(): Promise<string[]> {
  const outbox = join(dataDir, 'outbox');
  return await Promise.all(
    (await readdir(outbox)).map((name) => readFile(join(outbox, name), 'utf8')),
  );
}

describe('without a mail server', () => {
  test('an email is a file that only its owner can read', async () => {
    await sendAll(null, { mails: [mail, mail] });
    const outbox = join(dataDir, 'outbox');
    const names = await readdir(outbox);
    expect(names).toHaveLength(2);
    expect((await stat(outbox)).mode & 0o777).toBe(0o700);
    for (const name of names) {
      expect(name).toMatch(/\.eml$/);
      expect((await stat(join(outbox, name))).mode & 0o777).toBe(0o600);
    }
  });

  test('an email has its own id, plain text first and HTML for programs that can show it, and asks programs not to reply', async () => {
    await sendAll(null);
    const [source = ''] = await readOutbox();
    expect(
      source.match(/^(From|To|Subject|Auto-Submitted|X-Auto-Response-Suppress): .*(?=\r$)/gm),
    ).toEqual([
      'Auto-Submitted: auto-generated',
      'X-Auto-Response-Suppress: All',
      'From: no-reply@example.com',
      'To: ida@example.com',
      'Subject: A webhook keeps failing',
    ]);
    expect(source).toMatch(/^Message-ID: <[0-9a-f-]{36}@example\.com>\r$/m);
    expect(source.match(/^Content-Type: [^;]*(?=;)/gm)).toEqual([
      'Content-Type: multipart/alternative',
      'Content-Type: text/plain',
      'Content-Type: text/html',
    ]);
  });

  test('an email has the name of its sender, if there is one', async () => {
    const mailFrom = { name: 'Keys, "Example"', address: 'keys@example.org' };
    const mailer = createMailer({ config: { ...config(null), mailFrom }, log: log.logger });
    mailer.send(mail);
    await mailer.close();
    const [source] = await readOutbox();
    expect(source).toMatch(/^From: "Keys, \\"Example\\"" <keys@example\.org>\r$/m);
    expect(source).toMatch(/^Message-ID: <[0-9a-f-]{36}@example\.org>\r$/m);
  });

  test('a line break in a subject or an address does not create a header', async () => {
    const hostile = { subject: 'Hello\r\nBcc: eve@example.com', to: 'a@b.c\r\nCc: eve@b.c' };
    await sendAll(null, { mails: [{ ...mail, ...hostile }] });
    const [source] = await readOutbox();
    expect(source).not.toMatch(/^b?cc:/im);
  });
});

test('an email is begun after the response of the code that sends it', async () => {
  const mailer = createMailer({ config: config(null), log: log.logger });
  let isBegun = false;
  mailer.send({
    ...mail,
    get to() {
      isBegun = true;
      return mail.to;
    },
  });
  // Anything that waits only for promises, such as a response, comes first.
  for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
  expect(isBegun).toBe(false);
  await mailer.close();
  expect(isBegun).toBe(true);
});

describe('with a mail server', () => {
  test('an email is sent there', async () => {
    const server = await startMailServer();
    await sendAll(server.url);
    expect(server.received).toHaveLength(1);
    expect(server.received[0]?.to).toContain('<ida@example.com>');
    expect(server.received[0]?.data).toContain('Look at the webhook "Orders".');
    await expect(readdir(join(dataDir, 'outbox'))).rejects.toThrow('ENOENT');
  });

  test('an email that the server refuses or loses is tried again, under the same Message-ID', async () => {
    const server = await startMailServer({ refusals: 1, losses: 1 });
    const mailer = createMailer({ config: config(server.url), log: log.logger }, quick);
    mailer.send(mail);
    await expect.poll(() => server.received).toHaveLength(2);
    await mailer.close();
    const ids = server.received.map(({ data }) => /^Message-ID: .*$/m.exec(data)?.[0]);
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toBeDefined();
  });

  test('an email that cannot be sent is given up after three attempts, and logged without its text', async () => {
    const failing = new TestLog();
    const smtpUrl = `smtp://user:hunter2@127.0.0.1:${await unusedPort()}`;
    const mailer = createMailer({ config: config(smtpUrl), log: failing.logger }, quick);
    mailer.send(mail);
    await expect
      .poll(() => failing.entries.map(({ msg }) => msg))
      .toEqual(['an email was not sent yet', 'an email was not sent yet', 'an email was not sent']);
    await mailer.close();
    expect(JSON.stringify(failing.entries)).not.toMatch(/Orders|hunter2/);
  });

  test('whose certificate is not trusted, the log says what to set, and the email is sent once it is', async () => {
    const failing = new TestLog();
    const server = await startMailServer({ certificate: 'self-signed' });
    await sendAll(server.url, { logger: failing.logger, ...quick });
    expect(failing.entries.at(-1)?.msg).toBe(
      'an email was not sent: the certificate of the mail server is not trusted. Start the service with NODE_EXTRA_CA_CERTS set to a file with the certificate of its authority. On a network that you trust, add ?tls.rejectUnauthorized=false to SMTP_URL instead.',
    );
    expect(server.received).toEqual([]);

    await sendAll(`${server.url}?tls.rejectUnauthorized=false`);
    expect(server.received).toHaveLength(1);
  });

  test('closing does not wait for the pauses between attempts', async () => {
    const failing = new TestLog();
    const smtpUrl = `smtp://127.0.0.1:${await unusedPort()}`;
    const mailer = createMailer({ config: config(smtpUrl), log: failing.logger });
    mailer.send(mail);
    await expect.poll(() => failing.entries).toHaveLength(1);
    await mailer.close();
    expect(failing.entries.at(-1)?.msg).toBe('an email was not sent');
  });
});

describe('a stored email', () => {
  /** Sends it, and returns whether the mail server accepted it, or how it refused it for good. */
  async function sendOnce(smtpUrl: string, options = {}, withinMs = 60_000): Promise<unknown> {
    let result: unknown = false;
    const mailer = createMailer({ config: config(smtpUrl), log: log.logger }, options);
    mailer.sendOnce(mail, {
      id: '1c3d2f6e-0000-4000-8000-000000000000',
      withinMs,
      taken: async () => void (result = true),
      refused: async (refusal) => void (result = refusal),
    });
    await expect.poll(() => mailer.waiting, { timeout: 20_000 }).toBe(0);
    await mailer.close();
    return result;
  }

  test('is tried once under its id, and reported as accepted', async () => {
    const server = await startMailServer();
    expect(await sendOnce(server.url)).toBe(true);
    expect(server.received[0]?.data).toMatch(
      /^Message-ID: <1c3d2f6e-0000-4000-8000-000000000000@example\.com>$/m,
    );
  });

  test('is not accepted by a mail server that refuses it, hangs up, or cannot be reached', async () => {
    const refusing = await startMailServer({ refusals: 1 });
    expect(await sendOnce(refusing.url)).toBe(false);
    expect(refusing.received).toEqual([]);
    expect(await sendOnce((await startMailServer({ losses: 1 })).url)).toBe(false);
    expect(await sendOnce(`smtp://127.0.0.1:${await unusedPort()}`)).toBe(false);
  });

  test('that the mail server will never accept is reported with its reply', async () => {
    const server = await startMailServer({ unknown: [mail.to] });
    expect(await sendOnce(server.url)).toEqual({ code: 550, text: 'Mailbox unavailable' });
  });

  test('does not wait longer than the time limit of a mail server, and neither does any other email', async () => {
    const server = await startMailServer({ isSilent: true });
    expect(await sendOnce(server.url, { patienceMs: 50 })).toBe(false);

    const failing = new TestLog();
    await sendAll(server.url, { logger: failing.logger, pausesMs: [], patienceMs: 50 });
    expect(failing.entries.map(({ msg }) => msg)).toEqual(['an email was not sent']);
  });

  test('is left for the next attempt if its turn comes too late', async () => {
    const server = await startMailServer();
    expect(await sendOnce(server.url, {}, -1)).toBe(false);
    expect(server.received).toEqual([]);
  });

  test('does not delay other emails, however many there are', async () => {
    const slow = await startMailServer({ isSilent: true });
    const mailer = createMailer(
      { config: config(slow.url), log: new TestLog().logger },
      { pausesMs: [] },
    );
    const ignore = () => Promise.resolve();
    const noted = { id: 'a', withinMs: 60_000, taken: ignore, refused: ignore };
    for (let sent = 0; sent < 20; sent += 1) mailer.sendOnce(mail, noted);
    mailer.send(mail);
    // Five stored emails, and the other one at the same time.
    await expect.poll(slow.connections, { timeout: 20_000 }).toBe(6);
    const closed = mailer.close();
    slow.hangUp();
    await closed;
    expect(mailer.waiting).toBe(0);
    expect(slow.connections()).toBe(6);
  });
});

test.each(['sk_live_abc', 'whsec_abc'])(
  'an email with %s…, which may be a name that someone chose, is sent without that text',
  async (secret) => {
    const warned = new TestLog();
    const mails = [
      { ...mail, paragraphs: [`The passkey "${secret}" was added.`] },
      { ...mail, subject: `${secret} was added` },
    ];
    await sendAll(null, { mails, logger: warned.logger });
    const sent = await readOutbox();
    expect(sent).toHaveLength(2);
    for (const text of sent) {
      expect(text).not.toContain(secret);
      expect(text).toMatch(/_\[redacted\]"? was added/);
      expect(text).toMatch(/_\[redacted\](&quot;)? was added/);
    }
    expect(warned.entries.map(({ msg }) => msg)).toEqual([
      'a token or signing secret was left out of an email',
      'a token or signing secret was left out of an email',
    ]);
  },
);
