import type { Context } from '../../../context.ts';

/** Until when a proof that was given at `provedAt` is fresh. */
export function proofExpiresAt({ config }: Pick<Context, 'config'>, provedAt: Date): Date {
  return new Date(provedAt.getTime() + config.proofMaxAgeSeconds * 1000);
}
