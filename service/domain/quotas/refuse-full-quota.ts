import type { Quota } from '#lib/contract/quotas.ts';
import { invalid } from '../errors.ts';

/** @throws ServiceError VALIDATION_ERROR if the quota is used up */
export function refuseFullQuota(
  { used, max }: Quota,
  { noun, remedy }: { noun: string; remedy: string },
): void {
  if (used < max) return;
  throw invalid(
    'body',
    `This account has ${used} ${noun}${used === 1 ? '' : 's'} and can have at most ${max}. ${remedy}, or ask the operator of this service to allow more.`,
  );
}
