import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import type { Config } from './config/load-config.ts';
import type { Logger } from './log/log.ts';
import { redactTokens } from './log/redact.ts';
import { outboxFileName, outboxOf } from './outbox.ts';

/** A plain text mail to one person. */
export type Mail = { to: string; subject: string; text: string };

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
  { config, log }: { config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>; log: Logger },
  pausesMs = usualPausesMs,
): Mailer {
  const deliver =
    config.smtpUrl === null
      ? writeTo(outboxOf(config), config.mailFrom)
      : sendThrough(config.smtpUrl, config.mailFrom);
  const closing = new AbortController();
  const open = new Set<Promise<void>>();

  async function sendPatiently(mail: Mail): Promise<void> {
    for (const pauseMs of [...pausesMs, null]) {
      try {
        await deliver(mail);
        return;
      } catch (error) {
        const isLast = pauseMs === null || closing.signal.aborted;
        log[isLast ? 'error' : 'warn'](
          { err: error, subject: mail.subject },
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
        .then(() => sendPatiently(withoutSecrets(mail, log)))
        .finally(() => open.delete(sending));
      open.add(sending);
    },
    async close() {
      closing.abort();
      await Promise.all(open);
    },
  };
}

function withoutSecrets({ to, subject, text }: Mail, log: Logger): Mail {
  const mail = { to, subject: redactTokens(subject), text: redactTokens(text) };
  if (mail.subject !== subject || mail.text !== text) {
    log.warn({ subject: mail.subject }, 'a token or signing secret was left out of a mail');
  }
  return mail;
}

function sendThrough(smtpUrl: string, from: string): (mail: Mail) => Promise<void> {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    ...nothingFromElsewhere,
  });
  return async (mail) => {
    await transport.sendMail(addressed(mail, from));
  };
}

function writeTo(folder: string, from: string): (mail: Mail) => Promise<void> {
  const transport = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    ...nothingFromElsewhere,
  });
  return async (mail) => {
    const { message } = await transport.sendMail(addressed(mail, from));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700);
    await writeFile(join(folder, outboxFileName(new Date())), message, { flag: 'wx', mode: 0o600 });
  };
}

/** A mail is made of what it is given, never of a file or a page it names. */
const nothingFromElsewhere = { disableFileAccess: true, disableUrlAccess: true };

/** Addresses as objects: as text, a comma in one would make it two. */
function addressed({ to, subject, text }: Mail, from: string) {
  return { from, to: { name: '', address: to }, subject, text };
}
