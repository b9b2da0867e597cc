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
  /** Addresses that the mail server does not know. */
  unknown: readonly string[] = [];
  readonly #noting = new Set<Promise<void>>();
  readonly #config: Pick<Config, 'publicUrl'>;

  constructor(config: Pick<Config, 'publicUrl'>) {
    this.#config = config;
  }

  send(mail: Mail): void {
    this.mails.push({ ...composeMail(this.#config, mail), kind: mail.kind, action: mail.action });
  }

  /** Stores the email and reports it as accepted, unless `isRefusing` or the address is unknown. */
  sendOnce(mail: Mail, { taken, refused }: NotedMail): void {
    if (this.isRefusing) return;
    const isUnknown = this.unknown.includes(mail.to);
    if (!isUnknown) this.send(mail);
    const result = isUnknown ? refused({ code: 550, text: 'Mailbox unavailable' }) : taken();
    const noting = result.finally(() => this.#noting.delete(noting));
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
