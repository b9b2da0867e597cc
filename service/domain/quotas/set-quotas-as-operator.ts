import { mintAccountId } from '../account-id.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { findAccountAsOperator } from '../people/members/operator/find-account-as-operator.ts';
import type { UnclearAccount } from '../people/members/operator/find-account-as-operator.ts';
import { operator } from '../people/members/operator/operator.ts';
import type { OperatorContext } from '../people/members/operator/operator.ts';
import { updateOwnQuotas } from './store.ts';
import type { OwnQuotas } from './store.ts';

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
