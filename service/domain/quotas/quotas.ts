import type { Quotas } from '#lib/contract/quotas.ts';
import type { Context } from '../../context.ts';
import { mintAccountId } from '../account-id.ts';
import type { PersonActor } from '../actor.ts';
import { readApiKeyQuota } from '../api-keys/check-fields.ts';
import { recordAudit } from '../audit/record-audit.ts';
import {
  findAccountAsOperator,
  type UnclearAccount,
} from '../people/members/operator/accounts-as-operator.ts';
import { operator, type OperatorContext } from '../people/members/operator/operator.ts';
import { readWebhookQuota } from '../webhooks/webhook-quota.ts';
import { updateOwnQuotas, type OwnQuotas } from './store.ts';

/**
 * How many keys and webhooks the account has and can have, for members who are about to create one.
 */
export async function getQuotas(ctx: Context, { accountId }: PersonActor): Promise<Quotas> {
  return {
    api_keys: await readApiKeyQuota(ctx, ctx.db, accountId),
    webhooks: await readWebhookQuota(ctx, ctx.db, accountId),
  };
}

/** Sets how many keys and webhooks an account can have, for an operator at the terminal. */
export async function setQuotasAsOperator(
  ctx: OperatorContext,
  { account: text, ...quotas }: { account: string } & OwnQuotas,
): Promise<UnclearAccount | { kind: 'set'; account: { name: string } }> {
  return await ctx.db.transaction(async (tx) => {
    const found = await findAccountAsOperator(tx, text);
    if (found.kind !== 'found') return found;
    const { account } = found;
    const accountId = mintAccountId(account.id);
    await updateOwnQuotas(tx, accountId, quotas);
    await recordAudit(tx, {
      accountId,
      by: operator,
      origin: null,
      action: 'account.limits_changed',
      at: ctx.clock.now(),
      target: { kind: 'account', id: account.id, name: account.name },
      changes: { max_keys: quotas.maxKeys, max_webhooks: quotas.maxWebhooks },
    });
    return { kind: 'set', account };
  });
}
