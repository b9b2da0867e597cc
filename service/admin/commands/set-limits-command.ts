import { countOf } from '#lib/count.ts';
import { maxKeys, maxWebhooks } from '../../config/settings.ts';
import { setQuotasAsOperator } from '../../domain/people/members/operator/accounts-as-operator.ts';
import { describeAmbiguousAccount } from './account-commands.ts';
import { readAccount } from './read-arguments.ts';
import { done } from '../outcome.ts';
import type { CommandReader } from '../outcome.ts';

export const readSetLimits: CommandReader = (args) => {
  if (args.length !== 3) {
    return 'set-limits needs an account and two limits (API keys, webhooks): each a number, or default.';
  }
  const keys = readLimit(args[1], { noun: 'API keys', max: maxKeys });
  if ('reason' in keys) return keys.reason;
  const webhooks = readLimit(args[2], { noun: 'webhooks', max: maxWebhooks });
  if ('reason' in webhooks) return webhooks.reason;
  return async (ctx) => {
    const account = readAccount(args[0]);
    const quotas = { maxKeys: keys.limit, maxWebhooks: webhooks.limit };
    const set = await setQuotasAsOperator(ctx, { account, ...quotas });
    if (set.kind !== 'set') {
      return describeAmbiguousAccount(set, { account, now: ctx.clock.now() });
    }
    return done(
      `Account "${set.account.name}" can have ${describeLimit(keys.limit, 'active API key', 'MAX_KEYS')}, and ${describeLimit(webhooks.limit, 'webhook', 'MAX_WEBHOOKS')}.`,
    );
  };
};

/** Reads a limit; null means that the installation's setting applies. */
function readLimit(
  text = '',
  { noun, max }: { noun: string; max: number },
): { limit: number | null } | { reason: string } {
  if (text === 'default') return { limit: null };
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= max) return { limit };
  return { reason: `Invalid number of ${noun} "${text}". Use 1 to ${max}, or default.` };
}

function describeLimit(limit: number | null, noun: string, setting: string): string {
  return limit === null ? `as many ${noun}s as ${setting} allows` : countOf(limit, noun);
}
