import { announceApiKeyChange } from '../store/changed-keys.ts';
import { lockApiKeys } from '../store/keys.ts';
import { findTokenByDigest } from '../store/tokens.ts';
import { mintAccountId } from '../../account-id.ts';
import { createNotices } from '../../notices/create-notices.ts';
import { sendNotices } from '../../notices/send-notices.ts';
import { readAccountName } from '../../people/accounts/read-account-name.ts';
import { operator } from '../../people/members/operator/operator.ts';
import type { OperatorContext } from '../../people/members/operator/operator.ts';
import { leakRevocationMail } from '../../rotation-requests/leaks/leak-revocation-mail.ts';
import { revokeLockedKey } from './revoke-locked-key.ts';

/** The key of the token and the name of its account. `wasRevoked`: it was revoked before. */
export type RevokedByOperator = { key: string; account: string; wasRevoked: boolean };

/**
 * Revokes the key of a leaked token, for an operator: no support can reach its account, or there
 * are too many leaks for the limits of support. Owners and admins get an email.
 *
 * @returns null if no key has this token
 */
export async function revokeKeyOfToken(
  ctx: OperatorContext,
  digest: Buffer,
): Promise<RevokedByOperator | null> {
  const found = await findTokenByDigest(ctx.db, digest);
  if (!found) return null;
  const accountId = mintAccountId(found.key.accountId);
  const { notices, ...revoked } = await ctx.db.transaction(async (tx) => {
    const [key] = await lockApiKeys(tx, accountId, [found.key.id]);
    const account = await readAccountName(tx, accountId);
    if (!key || key.revokedAt) {
      return { key: found.key.name, account, wasRevoked: true, notices: [] };
    }
    const now = ctx.clock.now();
    const { name } = operator;
    const actor = { kind: 'system', accountId, origin: null, name } as const;
    await revokeLockedKey(actor, { tx, key, now, reason: 'Reported as leaked' });
    await announceApiKeyChange(tx, key.id);
    const revokedBy = [['Revoked by', 'An operator of this installation']] as const;
    return {
      key: key.name,
      account,
      wasRevoked: false,
      notices: await createNotices(tx, {
        accountId,
        to: { act: 'api-keys.revoke' },
        subjectId: key.uuid,
        occasion: 'revoked',
        now,
        mail: () => leakRevocationMail(ctx, { key, note: null, revokedBy, now }),
      }),
    };
  });
  sendNotices(ctx, notices);
  return revoked;
}
