import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { composeMail } from '../../mail/compose/compose-mail.ts';
import type { Mail } from '../../mail/mail.ts';
import { createMailer } from '../../mail/mailer.ts';
import { runCommand } from '../../testing/admin-commands.ts';
import { TestApi } from '../../testing/api.ts';
import { useContext } from '../../testing/use-api.ts';
import { readAdminCommand } from '../commands.ts';
import type { AdminOutcome } from '../outcome.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const ctx = useContext();

let dataDir: string;
beforeEach(() => {
  dataDir = temporaryFolder();
});
afterEach(() => void vi.useRealTimers());

async function run(...args: string[]): Promise<AdminOutcome> {
  return await runCommand({ ...ctx, config: { ...ctx.config, dataDir } }, ...args);
}

/** Makes the service write an email at this time, without a mail server; returns its text. */
async function write(values: Partial<Mail>, at = '2026-11-20T10:29:17.123Z'): Promise<string> {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(at) });
  const { publicUrl } = ctx.config;
  const config = {
    smtpUrl: null,
    mailFrom: { name: '', address: 'no-reply@example.com' },
    dataDir,
    publicUrl,
  };
  const mailer = createMailer({ config, log: ctx.log });
  const mail: Mail = {
    kind: 'invitation',
    to: 'ida@example.com',
    subject: 'Hello',
    paragraphs: ['Hello'],
    action: { label: 'Open', url: `${publicUrl.origin}/invitation` },
    ...values,
  };
  mailer.send(mail);
  await mailer.close();
  return composeMail(config, mail).text;
}

const idsIn = (text: string) => [...text.matchAll(/^[0-9a-f]{8}\b/gm)].map(([id]) => id);

describe('outbox', () => {
  test('lists the emails, newest first, with their recipient and subject', async () => {
    await write({ to: 'ann@example.com', subject: 'First' });
    await write(
      { subject: 'Tritt „Marlow & Finch“ bei – und noch viele Worte mehr, bis zum Rand' },
      '2026-11-20T10:30:00.000Z',
    );
    const { exitCode, text } = await run('outbox');
    expect(exitCode).toBe(0);
    const [head, ...rows] = text.split('\n');
    expect(head).toMatch(/^ID +TIME +TO +SUBJECT$/);
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatch(
      /ida@example\.com +Tritt „Marlow & Finch“ bei – und noch viele Worte mehr, bis zum Rand$/,
    );
    expect(rows[1]).toMatch(/10:29:17.* ann@example\.com +First$/);
  });

  test.each([
    ['plain', ['Hello.', 'Bye.']],
    [
      'a long link',
      ['Open:', `https://service.example.com/reset-password#${'aB3-'.repeat(11)}`, 'Bye'],
    ],
    ['letters beyond ASCII', [`Grüße = ${'ü'.repeat(90)}`, '日本語']],
    ['signs that the format uses', ['=3D =', '.', '..', 'From me', '--', '?= =?']],
  ])('prints an email as it was written: %s', async (_what, paragraphs) => {
    const text = await write({ subject: 'Grüße', paragraphs });
    const [id = ''] = idsIn((await run('outbox')).text);
    const printed = await run('outbox', id);
    expect(printed.exitCode).toBe(0);
    expect(printed.text).toContain('To:      ida@example.com\nSubject: Grüße\nTime:    ');
    expect(printed.text.split('\n\n').slice(1).join('\n\n')).toBe(text.trimEnd());
  });

  test('prints no control characters that a terminal would execute', async () => {
    await write({ subject: 'Red \u001b[31m', paragraphs: ['\u001b]0;title\u0007 \u009b31m'] });
    const list = await run('outbox');
    const [id = ''] = idsIn(list.text);
    const { text } = await run('outbox', id);
    // oxlint-disable-next-line no-control-regex -- what must not be there
    expect(list.text + text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });

  test('lists 50 and counts the rest', async () => {
    for (let made = 0; made < 52; made += 1) await write({});
    const { text } = await run('outbox');
    expect(idsIn(text)).toHaveLength(50);
    expect(text).toMatch(/\n\n2 older ones are not listed\.$/);
  });

  test('says so if there is none, or none with this ID', async () => {
    expect(await run('outbox')).toEqual({ exitCode: 0, text: 'The outbox is empty.' });
    for (const id of ['0a1b2c3d', '../secret-key', '']) {
      expect(await run('outbox', id)).toEqual({
        exitCode: 1,
        text: `There is no email with the ID "${id}". List the emails: npm run admin -- outbox`,
      });
    }
    expect(readAdminCommand(['outbox', 'a', 'b'])).toMatchObject({ exitCode: 2 });
  });

  test('cannot be reached over HTTP: not with a key, by a member or by the dashboard', async () => {
    const api = new TestApi(ctx);
    const { token } = await (await api.account()).key();
    for (const path of [
      '/outbox',
      '/api/v1/outbox',
      '/api/dashboard/outbox',
      '/api/dashboard/mails',
    ]) {
      for (const credential of [token, ctx.dashboardCredential]) {
        const { status } = await api.call('GET', path, { token: credential });
        expect([401, 404]).toContain(status);
      }
    }
  });
});
