import type { MailSender } from '../config/formats.ts';
import type { Logger } from '../log/log.ts';
import { redactTokens } from '../log/redact.ts';
import type { ComposedMail } from './mail.ts';

/** An email with its headers, as `nodemailer` takes it. */
export type Message = ReturnType<typeof toMessage>;

/**
 * Addresses a composed email, and removes tokens and signing secrets from it.
 *
 * Addresses are objects, because in a text a comma would separate two addresses. All attempts to
 * send an email have the same Message-ID, so that a mail server can recognize an email that it gets
 * twice. Headers ask programs not to reply automatically, for example with a notice of absence.
 *
 * @param options.id for the Message-ID
 */
export function toMessage(
  composed: ComposedMail,
  { from, id, log }: { from: MailSender; id: string; log: Logger },
) {
  const { to, subject, text, html } = withoutSecrets(composed, log);
  return {
    from,
    to: { name: '', address: to },
    subject,
    text,
    html,
    messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
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
