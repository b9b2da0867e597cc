import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makeFolder } from '../make-folder.ts';
import type { Message } from './message.ts';
import { outboxFileName } from './outbox.ts';

/** Makes one attempt to hand over an email. Rejects if it was not accepted, or may not have been. */
export type Transport = (message: Message) => Promise<void>;

/** How long connecting, the greeting and each silence of a mail server may take. */
const connectionTimeouts = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
};

/**
 * Hands emails over to a mail server.
 *
 * @param patienceMs how long it may take for one email, even if it keeps sending data
 */
export function smtpTransport(smtpUrl: string, patienceMs: number): Transport {
  return async (message) => {
    const { createTransport } = await loadLibrary();
    const smtp = createTransport({ url: smtpUrl, ...connectionTimeouts, ...nothingFromElsewhere });
    const done = new AbortController();
    const sending = smtp.sendMail(message).finally(() => done.abort());
    // The timeouts of a connection count from its last byte, so a slow server could reset them.
    const slow = pause(patienceMs, undefined, { signal: done.signal }).then(
      () => Promise.reject(new Error(`the mail server took longer than ${patienceMs} ms`)),
      () => undefined,
    );
    await Promise.race([sending, slow]);
    await sending;
  };
}

/** Connects to a mail server and signs in, as for an email. Rejects if the server does not allow it. */
export async function checkMailServer(smtpUrl: string): Promise<void> {
  const { createTransport } = await loadLibrary();
  const smtp = createTransport({ url: smtpUrl, ...connectionTimeouts, ...nothingFromElsewhere });
  try {
    await smtp.verify();
  } finally {
    smtp.close();
  }
}

/** Writes emails to the outbox, one file for each. */
export function outboxTransport(folder: string): Transport {
  return async (message) => {
    const { createTransport } = await loadLibrary();
    const stream = createTransport({
      streamTransport: true,
      buffer: true,
      newline: 'windows',
      ...nothingFromElsewhere,
    });
    const { message: source } = await stream.sendMail(message);
    await makeFolder(folder);
    await chmod(folder, 0o700);
    await writeFile(join(folder, outboxFileName(new Date())), source, { flag: 'wx', mode: 0o600 });
  };
}

/** Loaded with the first email, because it takes memory and many processes never send one. */
async function loadLibrary() {
  return await import('nodemailer');
}

/** An email contains only what it is given, never a file or page that its content names. */
const nothingFromElsewhere = { disableFileAccess: true, disableUrlAccess: true };
