import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { KeyedConcurrencyLimit } from '../concurrency/keyed-concurrency-limit.ts';
import type { Config } from '../config/load-config.ts';
import type { Logger } from '../log/log.ts';
import { redactTokens } from '../log/redact.ts';
import { makeFolder } from '../make-folder.ts';
import { composeMail } from './compose/compose-mail.ts';
import type { ComposedMail, Mail } from './mail.ts';
import { outboxFileName, outboxOf } from './outbox.ts';

export type Mailer = {
  /**
   * Sends an email without waiting for it. Call it after the transaction has committed, so that
   * nothing is announced that was rolled back. An email is sent at most once and may be lost with
   * the process. So it contains only what the dashboard shows as well, or what can be requested
   * again.
   *
   * Sending begins after the caller's current work, so that a response takes as long with an email
   * as without. Tokens and signing secrets are removed from the text: emails contain none, but a
   * name that somebody chose may look like one, and must not prevent the email.
   */
  send(mail: Mail): void;
  /**
   * Sends a stored email. It is tried once, with few others at a time so that many do not delay
   * `send`, and `taken` runs if the mail server accepted it. The code that stored it tries again
   * later.
   *
   * @param noted.id its Message-ID, the same for each attempt
   * @param noted.withinMs if its turn comes later than this, it is left for the next attempt
   */
  sendOnce(mail: Mail, noted: NotedMail): void;
  /** How many emails of `sendOnce` are not finished. */
  readonly waiting: number;
  /**
   * Waits until open emails are sent. An email that waits for another attempt gets it at once;
   * emails of `sendOnce` that have not begun are left for later.
   */
  close(): Promise<void>;
};

export type NotedMail = { id: string; withinMs: number; taken: () => Promise<void> };

/** Pauses before the second and the third attempt. */
const defaultPausesMs: readonly number[] = [5000, 60_000];

/** How long a mail server may take for one email, even if it keeps sending data. */
const defaultPatienceMs = 120_000;

/** How many emails of `sendOnce` are sent to the mail server at a time. */
const maxConnections = 5;

/**
 * Sends emails through SMTP_URL. Without it, writes each email to DATA_DIR/outbox for the operator.
 */
export function createMailer(
  {
    config,
    log,
  }: { config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir' | 'publicUrl'>; log: Logger },
  { pausesMs = defaultPausesMs, patienceMs = defaultPatienceMs } = {},
): Mailer {
  const deliver =
    config.smtpUrl === null ? writeTo(outboxOf(config)) : sendThrough(config.smtpUrl, patienceMs);
  const closing = new AbortController();
  const open = new Set<Promise<void>>();
  const onceLimit = new KeyedConcurrencyLimit({ maxConcurrent: maxConnections });
  let waiting = 0;

  async function sendPatiently(mail: Mail): Promise<void> {
    const composed = withoutSecrets(composeMail(config, mail), log);
    const message = addressed(composed, { from: config.mailFrom, id: crypto.randomUUID() });
    for (const pauseMs of [...pausesMs, null]) {
      try {
        await deliver(message);
        return;
      } catch (error) {
        const isLast = pauseMs === null || closing.signal.aborted;
        log[isLast ? 'error' : 'warn'](
          { err: error, subject: composed.subject },
          isLast ? 'an email was not sent' : 'an email was not sent yet',
        );
        if (isLast) return;
        // Closing ends the pause early, for one last attempt.
        await pause(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
      }
    }
  }

  async function sendNoted(mail: Mail, { id, withinMs, taken }: NotedMail): Promise<void> {
    const handedOverAt = performance.now();
    await onceLimit.run('', async () => {
      if (closing.signal.aborted || performance.now() - handedOverAt > withinMs) return;
      const composed = withoutSecrets(composeMail(config, mail), log);
      try {
        await deliver(addressed(composed, { from: config.mailFrom, id }));
      } catch (error) {
        log.warn({ err: error, subject: composed.subject }, 'an email was not sent yet');
        return;
      }
      await taken();
    });
  }

  function begin(sendIt: () => Promise<void>): void {
    const sending = nextTurn()
      .then(sendIt)
      .catch((error: unknown) =>
        log.error({ err: error }, 'failed to record the result of an email'),
      )
      .finally(() => open.delete(sending));
    open.add(sending);
  }

  return {
    send(mail) {
      begin(async () => await sendPatiently(mail));
    },
    sendOnce(mail, noted) {
      waiting += 1;
      begin(async () => await sendNoted(mail, noted).finally(() => (waiting -= 1)));
    },
    get waiting() {
      return waiting;
    },
    async close() {
      closing.abort();
      await Promise.all(open);
    },
  };
}

function withoutSecrets({ to, ...parts }: ComposedMail, log: Logger): ComposedMail {
  const mail = {
    to,
    subject: redactTokens(parts.subject),
    text: redactTokens(parts.text),
    html: redactTokens(parts.html),
  };
  if (mail.subject !== parts.subject || mail.text !== parts.text || mail.html !== parts.html) {
    log.warn({ subject: mail.subject }, 'a token or signing secret was left out of an email');
  }
  return mail;
}

type Message = ReturnType<typeof addressed>;

function sendThrough(smtpUrl: string, patienceMs: number): (message: Message) => Promise<void> {
  return async (message) => {
    const { createTransport } = await loadLibrary();
    const transport = createTransport({
      url: smtpUrl,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 20_000,
      ...nothingFromElsewhere,
    });
    const done = new AbortController();
    const sending = transport.sendMail(message).finally(() => done.abort());
    // The timeouts of a connection count from its last byte, so a slow server could reset them.
    const slow = pause(patienceMs, undefined, { signal: done.signal }).then(
      () => Promise.reject(new Error(`the mail server took longer than ${patienceMs} ms`)),
      () => undefined,
    );
    await Promise.race([sending, slow]);
    await sending;
  };
}

function writeTo(folder: string): (message: Message) => Promise<void> {
  return async (message) => {
    const { createTransport } = await loadLibrary();
    const transport = createTransport({
      streamTransport: true,
      buffer: true,
      newline: 'windows',
      ...nothingFromElsewhere,
    });
    const { message: source } = await transport.sendMail(message);
    await makeFolder(folder);
    await chmod(folder, 0o700);
    await writeFile(join(folder, outboxFileName(new Date())), source, { flag: 'wx', mode: 0o600 });
  };
}

/** Loaded with the first email, because it takes some 7 MB and many processes never send one. */
async function loadLibrary() {
  return await import('nodemailer');
}

/** An email contains only what it is given, never a file or page that its content names. */
const nothingFromElsewhere = { disableFileAccess: true, disableUrlAccess: true };

/**
 * Addresses are objects, because in a text a comma would separate two addresses. All attempts to
 * send an email have the same Message-ID, so that a mail server can recognize an email that it gets
 * twice. Headers ask programs not to reply automatically, for example with a notice of absence.
 */
function addressed(
  { to, subject, text, html }: ComposedMail,
  { from, id }: { from: string; id: string },
) {
  return {
    from,
    to: { name: '', address: to },
    subject,
    text,
    html,
    messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  };
}
