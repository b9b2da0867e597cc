import type { Context } from '../../context.ts';
import { subscriberOf } from '../../networks.ts';
import type { Origin } from '../actor.ts';
import { refuseOverLimit } from '../refuse-over-limit.ts';

/** Counts that a link is checked or used, before it is looked up. @throws ServiceError RATE_LIMIT_EXCEEDED */
export async function limitLinks(ctx: Pick<Context, 'limiter'>, { ip }: Origin): Promise<void> {
  await refuseOverLimit(ctx, [{ limit: 'link-address', key: subscriberOf(ip) }]);
}
