import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { Slots } from '../concurrency/slots.ts';
import type { Config } from '../config/load-config.ts';
import type { Logger } from '../log/log.ts';
import { composeMail } from './compose/compose-mail.ts';
import type { Mail, MailRefusal } from './mail.ts';
import { toMessage } from './message.ts';
import type { Message } from './message.ts';
import { outboxOf } from './outbox.ts';
import { outboxTransport, smtpTransport } from './transport.ts';
import type { Transport } from './transport.ts';

export type Mailer = {
  /**
   * Sends an email without waiting for it. Call it after the transaction has committed, so that
   * nothing is announced that was rolled back. An email is sent at most once and may be lost with
   * the process. So it contains only what the dashboard shows as well, or what can be requested
   * again.
   *
   * Sending begins after the caller's current work, so that a response takes as long with an email
   * as without. Tokens and signing secrets are removed from the text: emails contain none, but a
   * name that someone chose may look like one, and must not prevent the email.
   */
  send(mail: Mail): void;
  /**
   * Sends a stored email. It is tried once, with few others at a time so that many do not delay
   * `send`. `taken` runs if the mail server accepted it, and `refused` if it never will. The code
   * that stored it tries again later.
   *
   * @param noted.id its Message-ID, the same for each attempt
   * @param noted.withinMs if its turn comes later than this, it is left for the next attempt
   */
  sendOnce(mail: Mail, noted: NotedMail): void;
  /** How many emails of `sendOnce` are not finished. */
  readonly waiting: number;
  /**
   * Waits until open emails are sent. An email that waits for another attempt gets it immediately;
   * emails of `sendOnce` that have not begun are left for later.
   */
  close(): Promise<void>;
};

export type NotedMail = {
  id: string;
  withinMs: number;
  taken: () => Promise<void>;
  refused: (refusal: MailRefusal) => Promise<void>;
};

/** Pauses before the second and the third attempt. */
const defaultPausesMs: readonly number[] = [5000, 60_000];

/** How long a mail server may take for one email, even if it keeps sending data. */
const defaultPatienceMs = 120_000;

/** How many emails of `sendOnce` are sent to the mail server at a time. */
const maxConnections = 5;

/** Sends emails through SMTP_URL. Without it, writes them to DATA_DIR/outbox. */
export function createMailer(
  {
    config,
    log,
  }: { config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir' | 'publicUrl'>; log: Logger },
  { pausesMs = defaultPausesMs, patienceMs = defaultPatienceMs } = {},
): Mailer {
  const transport =
    config.smtpUrl === null
      ? outboxTransport(outboxOf(config))
      : skipTestAddresses(smtpTransport(config.smtpUrl, patienceMs));
  const closing = new AbortController();
  const attempts: Attempts = { transport, log, closing: closing.signal };
  const connections = new Slots({ maxConcurrent: maxConnections });
  const open = new Set<Promise<void>>();
  let waiting = 0;

  function compose(mail: Mail, id: string): Message {
    return toMessage(composeMail(config, mail), { from: config.mailFrom, id, log });
  }

  async function sendNoted(mail: Mail, { id, withinMs, taken, refused }: NotedMail): Promise<void> {
    const handedOverAt = performance.now();
    await connections.run('', async () => {
      if (closing.signal.aborted || performance.now() - handedOverAt > withinMs) return;
      const result = await attemptOnce(compose(mail, id), attempts);
      if (result === 'taken') await taken();
      else if (result !== 'failed') await refused(result);
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
      begin(
        async () => await attemptUntilSent(compose(mail, crypto.randomUUID()), attempts, pausesMs),
      );
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

/** Nobody reads emails to the reserved domain `test` (RFC 6761), so none are sent there. */
function skipTestAddresses(transport: Transport): Transport {
  return async (message) => {
    if (!/[@.]test$/.test(message.to.address)) await transport(message);
  };
}

type Attempts = { transport: Transport; log: Logger; closing: AbortSignal };

/** Makes an attempt, and after each pause another one, until the email is sent. */
async function attemptUntilSent(
  message: Message,
  { transport, log, closing }: Attempts,
  pausesMs: readonly number[],
): Promise<void> {
  for (const pauseMs of [...pausesMs, null]) {
    try {
      await transport(message);
      return;
    } catch (error) {
      const isLast = pauseMs === null || closing.aborted;
      log[isLast ? 'error' : 'warn'](
        { err: error, subject: message.subject },
        withAdvice(isLast ? 'an email was not sent' : 'an email was not sent yet', error),
      );
      if (isLast) return;
      // Closing ends the pause early, for one last attempt.
      await pause(pauseMs, undefined, { signal: closing }).catch(() => undefined);
    }
  }
}

/** Adds what the operator can set, if the cause is known. */
function withAdvice(text: string, error: unknown): string {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown };
  if (/certificate|altnames/i.test(String(message))) {
    return `${text}: the certificate of the mail server is not trusted. Start the service with NODE_EXTRA_CA_CERTS set to a file with the certificate of its authority. On a network that you trust, add ?tls.rejectUnauthorized=false to SMTP_URL instead.`;
  }
  if (code === 'EAUTH')
    return `${text}: the mail server refused the user and password in SMTP_URL.`;
  return text;
}

/** Makes one attempt. @returns the refusal if another attempt cannot succeed either */
async function attemptOnce(
  message: Message,
  { transport, log }: Attempts,
): Promise<'taken' | 'failed' | MailRefusal> {
  try {
    await transport(message);
    return 'taken';
  } catch (error) {
    log.warn(
      { err: error, subject: message.subject },
      withAdvice('an email was not sent yet', error),
    );
    return refusalIn(error) ?? 'failed';
  }
}

/** A reply of 5xx to the recipient or the content (RFC 5321, 4.2.1); null for any other failure. */
function refusalIn(error: unknown): MailRefusal | null {
  const { command, responseCode, response } = Object(error) as Record<string, unknown>;
  if (command !== 'RCPT TO' && command !== 'DATA') return null;
  if (typeof responseCode !== 'number' || responseCode < 500) return null;
  const text = (typeof response === 'string' ? response : '').replaceAll(/[\s\p{Cc}]+/gu, ' ');
  return { code: responseCode, text: text.replace(/^\d{3} /, '').slice(0, 200) };
}
