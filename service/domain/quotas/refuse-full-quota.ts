import type { Quota } from '#lib/contract/quotas.ts';
import { countOf, formatCount } from '#lib/count.ts';
import { invalid } from '../errors.ts';

/** @throws ServiceError VALIDATION_ERROR if the quota is used up */
export function refuseFullQuota(
  { used, max }: Quota,
  { noun, remedy }: { noun: string; remedy: string },
): void {
  if (used < max) return;
  throw invalid(
    'body',
    `This account has ${countOf(used, noun)} and can have at most ${formatCount(max)}. ${remedy}, or ask the operator of this service to allow more.`,
  );
}
