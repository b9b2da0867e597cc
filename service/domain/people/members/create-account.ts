import type { Tx } from '../../../db/open.ts';
import type { ActorReference } from '../../../db/schema/columns.ts';
import { mintAccountId } from '../../account-id.ts';
import type { AccountId } from '../../account-id.ts';
import type { Origin } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { insertAccount, insertMember } from '../store/members.ts';

/** Creates an account with its first member, the owner, and the audit entry for that. */
export async function createAccount(
  tx: Tx,
  input: {
    name: string;
    owner: { id: string; name: string; email: string };
    by: ActorReference;
    origin: Origin | null;
    now: Date;
  },
): Promise<AccountId> {
  const { name, owner, by, origin, now } = input;
  const account = await insertAccount(tx, { name, createdAt: now });
  const accountId = mintAccountId(account.id);
  await insertMember(tx, { accountId, personId: owner.id, role: 'owner', createdAt: now });
  await recordAudit(tx, {
    accountId,
    by,
    origin,
    action: 'account.created',
    at: now,
    target: { kind: 'account', id: accountId, name },
    changes: { owner: owner.email },
  });
  return accountId;
}
