import type { Context } from '../../../context.ts';

/**
 * Until when a person who gave their password at `provedAt` may perform acts that need a fresh
 * proof.
 */
export function proofExpiresAt({ config }: Pick<Context, 'config'>, provedAt: Date): Date {
  return new Date(provedAt.getTime() + config.proofMaxAgeSeconds * 1000);
}
