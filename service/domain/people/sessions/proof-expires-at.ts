import type { Context } from '../../../context.ts';

/** Until when somebody who gave their password at `provedAt` may do what needs fresh proof. */
export function proofExpiresAt({ config }: Pick<Context, 'config'>, provedAt: Date): Date {
  return new Date(provedAt.getTime() + config.proofMaxAgeSeconds * 1000);
}
