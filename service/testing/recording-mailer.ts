import type { Config } from '../config/load-config.ts';
import { composeMail } from '../mail/compose/compose-mail.ts';
import type { ComposedMail, Mail } from '../mail/mail.ts';
import type { Mailer } from '../mail/mailer.ts';

/** A mail as it was composed, and what it was made of. */
export type RecordedMail = ComposedMail & Pick<Mail, 'kind' | 'action'>;

/** Sends nothing and remembers every mail. */
export class RecordingMailer implements Mailer {
  readonly mails: RecordedMail[] = [];
  readonly #config: Pick<Config, 'publicUrl'>;

  constructor(config: Pick<Config, 'publicUrl'>) {
    this.#config = config;
  }

  send(mail: Mail): void {
    this.mails.push({ ...composeMail(this.#config, mail), kind: mail.kind, action: mail.action });
  }

  forget(): void {
    this.mails.length = 0;
  }

  async close(): Promise<void> {}
}
