import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { KeyedConcurrencyLimit } from '../concurrency/keyed-concurrency-limit.ts';
import type { Config } from '../config/load-config.ts';
import type { Logger } from '../log/log.ts';
import { redactTokens } from '../log/redact.ts';
import { composeMail } from './compose/compose-mail.ts';
import type { ComposedMail, Mail } from './mail.ts';
import { outboxFileName, outboxOf } from './outbox.ts';

export type Mailer = {
  /**
   * Hands an email over and does not wait for it. Call it after the transaction has committed: what
   * was rolled back is not announced. An email is sent at most once and may be lost with the process,
   * so it only ever says what stands in the dashboard as well, or what can be asked for again.
   *
   * Sending begins once the work that called has had its turn, so that an answer takes as long with
   * an email as without. A token or a signing secret is left out of it: an email has none, but a name that
   * somebody chose may look like one, and must not keep others from being told.
   */
  send(mail: Mail): void;
  /**
   * The same for an email that is written down: it is tried once, with few others at a time so that
   * many do not keep `send` waiting, and `taken` runs if the mail server took it. Whoever wrote it
   * down tries again later.
   *
   * @param noted.id its Message-ID, the same for each try
   * @param noted.withinMs it is left for the next try if its turn comes later than that
   */
  sendOnce(mail: Mail, noted: NotedMail): void;
  /** How many emails of `sendOnce` are not done with. */
  readonly waiting: number;
  /** Lets open mails be sent; those that wait for another try are given up. */
  close(): Promise<void>;
};

export type NotedMail = { id: string; withinMs: number; taken: () => Promise<void> };

/** Pauses before the second and the third try. */
const defaultPausesMs: readonly number[] = [5000, 60_000];

/** How long a mail server has for one email, however slowly it speaks. */
const defaultPatienceMs = 120_000;

/** How many emails of `sendOnce` are on their way to the mail server at a time. */
const maxConcurrent = 5;

/** Sends through SMTP_URL; without one, writes each email to DATA_DIR/outbox for whoever runs this. */
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
  const onceLimit = new KeyedConcurrencyLimit({ maxConcurrent: maxConcurrent });
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
        // Closing cuts the pause short, for one last try.
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
    // Timeouts of a connection count from its last byte: a server may send one now and then.
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
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700);
    await writeFile(join(folder, outboxFileName(new Date())), source, { flag: 'wx', mode: 0o600 });
  };
}

/** Loaded with the first email: it takes some 7 MB, and many processes never send one. */
async function loadLibrary() {
  return await import('nodemailer');
}

/** An email is made of what it is given, never of a file or a page it names. */
const nothingFromElsewhere = { disableFileAccess: true, disableUrlAccess: true };

/**
 * Addresses as objects: as text, a comma in one would make it two. All tries of an email have one
 * Message-ID, by which a mail server that took it twice can tell. Programs that answer by
 * themselves, such as notices of absence, are asked not to.
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
