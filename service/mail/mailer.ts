import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import type { Config } from '../config/load-config.ts';
import type { Logger } from '../log/log.ts';
import { redactTokens } from '../log/redact.ts';
import { composeMail } from './compose/compose-mail.ts';
import type { ComposedMail, Mail } from './mail.ts';
import { outboxFileName, outboxOf } from './outbox.ts';

export type Mailer = {
  /**
   * Hands a mail over and does not wait for it. Call it after the transaction has committed: what
   * was rolled back is not announced. A mail is sent at most once and may be lost with the process,
   * so it only ever says what stands in the dashboard as well, or what can be asked for again.
   *
   * Sending begins once the work that called has had its turn, so that an answer takes as long with
   * a mail as without. A token or a signing secret is left out of it: a mail has none, but a name that
   * somebody chose may look like one, and must not keep others from being told.
   */
  send(mail: Mail): void;
  /** Lets open mails be sent; those that wait for another try are given up. */
  close(): Promise<void>;
};

/** Pauses before the second and the third try. */
const usualPausesMs: readonly number[] = [5000, 60_000];

/** Sends through SMTP_URL; without one, writes each mail to DATA_DIR/outbox for whoever runs this. */
export function createMailer(
  {
    config,
    log,
  }: { config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir' | 'publicUrl'>; log: Logger },
  pausesMs = usualPausesMs,
): Mailer {
  const deliver = config.smtpUrl === null ? writeTo(outboxOf(config)) : sendThrough(config.smtpUrl);
  const closing = new AbortController();
  const open = new Set<Promise<void>>();

  async function sendPatiently(mail: Mail): Promise<void> {
    const composed = withoutSecrets(composeMail(config, mail), log);
    const message = addressed(composed, config.mailFrom);
    for (const pauseMs of [...pausesMs, null]) {
      try {
        await deliver(message);
        return;
      } catch (error) {
        const isLast = pauseMs === null || closing.signal.aborted;
        log[isLast ? 'error' : 'warn'](
          { err: error, subject: composed.subject },
          isLast ? 'a mail was not sent' : 'a mail was not sent yet',
        );
        if (isLast) return;
        // Closing cuts the pause short, for one last try.
        await pause(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
      }
    }
  }

  return {
    send(mail) {
      const sending = nextTurn()
        .then(() => sendPatiently(mail))
        .finally(() => open.delete(sending));
      open.add(sending);
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
    log.warn({ subject: mail.subject }, 'a token or signing secret was left out of a mail');
  }
  return mail;
}

type Message = ReturnType<typeof addressed>;

function sendThrough(smtpUrl: string): (message: Message) => Promise<void> {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    ...nothingFromElsewhere,
  });
  return async (message) => {
    await transport.sendMail(message);
  };
}

function writeTo(folder: string): (message: Message) => Promise<void> {
  const transport = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    ...nothingFromElsewhere,
  });
  return async (message) => {
    const { message: source } = await transport.sendMail(message);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700);
    await writeFile(join(folder, outboxFileName(new Date())), source, { flag: 'wx', mode: 0o600 });
  };
}

/** A mail is made of what it is given, never of a file or a page it names. */
const nothingFromElsewhere = { disableFileAccess: true, disableUrlAccess: true };

/**
 * Addresses as objects: as text, a comma in one would make it two. All tries of a mail have one
 * Message-ID, by which a mail server that took it twice can tell. Programs that answer by
 * themselves, such as notices of absence, are asked not to.
 */
function addressed({ to, subject, text, html }: ComposedMail, from: string) {
  return {
    from,
    to: { name: '', address: to },
    subject,
    text,
    html,
    messageId: `<${crypto.randomUUID()}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  };
}
