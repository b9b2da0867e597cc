import type { Context } from '../../context.ts';

/**
 * Whether mails reach people. Without a mail server they lie in the outbox folder, where whoever runs
 * the service reads them.
 */
export function isMailSent({ config }: Pick<Context, 'config'>): boolean {
  return config.smtpUrl !== null;
}
