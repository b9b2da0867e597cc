import type { Config } from '../config/load-config.ts';
import { composeMail } from '../mail/compose/compose-mail.ts';
import type { ComposedMail, Mail } from '../mail/mail.ts';
import type { Mailer, NotedMail } from '../mail/mailer.ts';

/** A composed email, with the kind and action it was made from. */
export type RecordedMail = ComposedMail & Pick<Mail, 'kind' | 'action'>;

/** Sends nothing and stores every email. */
export class RecordingMailer implements Mailer {
  readonly mails: RecordedMail[] = [];
  /** Whether emails of `sendOnce` are refused, as by a mail server that is not running. */
  isRefusing = false;
  readonly #noting = new Set<Promise<void>>();
  readonly #config: Pick<Config, 'publicUrl'>;

  constructor(config: Pick<Config, 'publicUrl'>) {
    this.#config = config;
  }

  send(mail: Mail): void {
    this.mails.push({ ...composeMail(this.#config, mail), kind: mail.kind, action: mail.action });
  }

  /** Stores the email and reports it as accepted, unless `isRefusing`. */
  sendOnce(mail: Mail, { taken }: NotedMail): void {
    if (this.isRefusing) return;
    this.send(mail);
    const noting = taken().finally(() => this.#noting.delete(noting));
    this.#noting.add(noting);
  }

  get waiting(): number {
    return this.#noting.size;
  }

  forget(): void {
    this.mails.length = 0;
  }

  /** Resolves once the results of all accepted emails are recorded. */
  async close(): Promise<void> {
    await Promise.all(this.#noting);
  }
}
