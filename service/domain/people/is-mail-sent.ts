import type { Context } from '../../context.ts';

/**
 * Whether emails reach people. Without a mail server they are only written to the outbox folder,
 * where the operator can read them.
 */
export function isMailSent({ config }: Pick<Context, 'config'>): boolean {
  return config.smtpUrl !== null;
}
