import type { Db, Tx } from '../../../../db/open.ts';
import { mintAccountId, type AccountId } from '../../../account-id.ts';
import { recordAudit } from '../../../audit/record-audit.ts';
import { isUuid } from '../../../resource-reference.ts';
import { writeAccount } from '../../store/accounts.ts';
import { listAccountRows, type AccountListRow } from '../../store/members.ts';
import { lockPersonByEmail } from '../../store/people.ts';
import { deleteSetUpTokens, lockFirstPerson } from '../../store/set-up.ts';
import {
  ensurePerson,
  mailReplacedPassword,
  preparePassword,
  type Access,
} from '../ensure-person.ts';
import { createAccount } from '../create-account.ts';
import { operator, type OperatorContext } from './operator.ts';

/** Every account of the installation, the oldest first. */
export async function listAccountsAsOperator({ db }: OperatorContext): Promise<ListedAccount[]> {
  return await listAccountRows(db);
}

/**
 * Creates an account for an operator at the terminal. Its owner is the person with this email, who
 * is added if they do not exist; `access` says how they sign in. `sameNamed` is how many accounts
 * already had this name.
 */
export async function createAccountAsOperator(
  ctx: OperatorContext,
  { name, email }: { name: string; email: string },
): Promise<{ accountId: AccountId; access: Access; sameNamed: number }> {
  const password = await preparePassword(ctx);
  const created = await ctx.db.transaction(async (tx) => {
    await lockFirstPerson(tx);
    const now = ctx.clock.now();
    const known = await lockPersonByEmail(tx, email);
    const { person: owner, access } = await ensurePerson(tx, { known, email, ...password, now });
    if (!known) await deleteSetUpTokens(tx);
    const { length: sameNamed } = await listAccountRows(tx, { name });
    const accountId = await createAccount(tx, { name, owner, by: operator, origin: null, now });
    return { accountId, access, sameNamed };
  });
  mailReplacedPassword(ctx, { email, access: created.access });
  return created;
}

export type ListedAccount = AccountListRow;

/** The text matches no account, or it is the name of several accounts. */
export type AmbiguousAccount =
  | { kind: 'no_account' }
  | { kind: 'many_accounts'; accounts: ListedAccount[] };

/** Finds the account that an operator names by its id or its name. */
export async function findAccountAsOperator(
  db: Db | Tx,
  text: string,
): Promise<AmbiguousAccount | { kind: 'found'; account: ListedAccount }> {
  const by = isUuid(text) ? { id: text.toLowerCase() } : { name: text };
  const accounts = await listAccountRows(db, by);
  const [account] = accounts;
  if (!account) return { kind: 'no_account' };
  return accounts.length > 1 ? { kind: 'many_accounts', accounts } : { kind: 'found', account };
}

/** Sets how many keys and webhooks an account can have; null for the installation's quota. */
export async function setQuotasAsOperator(
  ctx: OperatorContext,
  wanted: { account: string; maxKeys: number | null; maxWebhooks: number | null },
): Promise<AmbiguousAccount | { kind: 'set'; account: { name: string } }> {
  return await ctx.db.transaction(async (tx) => {
    const found = await findAccountAsOperator(tx, wanted.account);
    if (found.kind !== 'found') return found;
    const { account } = found;
    const { maxKeys, maxWebhooks } = wanted;
    const accountId = mintAccountId(account.id);
    await writeAccount(tx, accountId, { maxKeys, maxWebhooks });
    await recordAudit(tx, {
      accountId,
      by: operator,
      origin: null,
      action: 'account.limits_changed',
      at: ctx.clock.now(),
      target: { kind: 'account', id: account.id, name: account.name },
      changes: { max_keys: maxKeys, max_webhooks: maxWebhooks },
    });
    return { kind: 'set', account };
  });
}
