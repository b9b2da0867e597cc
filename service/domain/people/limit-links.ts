import type { Context } from '../../context.ts';
import { subscriberOf } from '../../network/networks.ts';
import type { Origin } from '../actor.ts';
import { refuseOverLimit } from '../refuse-over-limit.ts';

/**
 * Counts an attempt to check or use a link, before the link is looked up.
 * @throws ServiceError RATE_LIMIT_EXCEEDED
 */
export async function limitLinks(ctx: Pick<Context, 'limiter'>, { ip }: Origin): Promise<void> {
  await refuseOverLimit(ctx, [{ limit: 'link-address', key: subscriberOf(ip), from: ip }]);
}
