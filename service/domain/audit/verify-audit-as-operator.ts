import type { Context } from '../../context.ts';
import { mintAccountId } from '../account-id.ts';
import { verifyChain } from './chain/verify-chain.ts';
import type { ChainReport } from './chain/verify-chain.ts';
import { listNextAccounts } from './store/chain-parts.ts';

/** An account and what its audit entries show. */
export type AccountReport = { account: { id: string; name: string }; report: ChainReport };

const batchSize = 500;

/**
 * Verifies the audit entries of one account, or of every account of the installation, one after the
 * other.
 */
export async function* verifyAuditAsOperator(
  ctx: Pick<Context, 'db' | 'auditKeys'>,
  only: { id: string; name: string } | null,
): AsyncGenerator<AccountReport> {
  if (only) {
    yield* verifyAccount(ctx, only);
    return;
  }
  let after: string | null = null;
  for (;;) {
    const accounts: AccountReport['account'][] = await listNextAccounts(ctx.db, {
      after,
      limit: batchSize,
    });
    for (const account of accounts) yield* verifyAccount(ctx, account);
    after = accounts.at(-1)?.id ?? null;
    if (after === null) return;
  }
}

async function* verifyAccount(
  ctx: Parameters<typeof verifyAuditAsOperator>[0],
  account: AccountReport['account'],
): AsyncGenerator<AccountReport> {
  const report = await verifyChain(ctx, mintAccountId(account.id));
  if (report) yield { account, report };
}
