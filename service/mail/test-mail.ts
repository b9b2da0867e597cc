import type { Config } from '../config/load-config.ts';
import type { Logger } from '../log/log.ts';
import { composeMail } from './compose/compose-mail.ts';
import type { Mail } from './mail.ts';
import { toMessage } from './message.ts';
import { outboxOf } from './outbox.ts';
import { outboxTransport, smtpTransport } from './transport.ts';

/** Sends an email that says only that emails arrive. Rejects if the mail server does not accept it. */
export async function sendTestMail(
  config: Pick<Config, 'smtpUrl' | 'dataDir' | 'mailFrom' | 'publicUrl'>,
  { to, log }: { to: string; log: Logger },
): Promise<void> {
  const send =
    config.smtpUrl === null
      ? outboxTransport(outboxOf(config))
      : smtpTransport(config.smtpUrl, 30_000);
  const composed = composeMail(config, testMail(config, to));
  await send(toMessage(composed, { from: config.mailFrom, id: crypto.randomUUID(), log }));
}

export function testMail({ publicUrl }: Pick<Config, 'publicUrl'>, to: string): Mail {
  return {
    kind: 'installation.tested',
    to,
    subject: `Emails of ${publicUrl.host} arrive`,
    paragraphs: [
      'An operator sent this email to test the mail server. It arrived, so there is nothing to do.',
    ],
    action: { label: 'Sign in', url: `${publicUrl.origin}/sign-in` },
  };
}
