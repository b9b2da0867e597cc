import type { Mail, Mailer } from '../mail.ts';

/** Sends nothing and remembers every mail. */
export class RecordingMailer implements Mailer {
  readonly mails: Mail[] = [];

  send(mail: Mail): void {
    this.mails.push(mail);
  }

  forget(): void {
    this.mails.length = 0;
  }

  async close(): Promise<void> {}
}
