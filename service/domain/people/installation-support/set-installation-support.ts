import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type {
  InstallationSupport,
  setInstallationSupportInput,
} from '#lib/contract/people/installation-support.ts';
import type { Context } from '../../../context.ts';
import { actorReference } from '../../actor.ts';
import type { PersonActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { confirmMember } from '../members/confirm-member.ts';
import { lockAccount, writeAccount } from '../store/accounts.ts';
import { describeAccess } from './describe-installation-support.ts';
import { endSupportOfAccount } from './end-support-of-account.ts';
import { getInstallationSupport } from './get-installation-support.ts';

/**
 * Sets whether installation support can open the account, and what they can be shown there; it
 * applies from their next call on. The audit log records the previous values. Setting the same
 * values again changes nothing and is not audited.
 *
 * @throws ServiceError FORBIDDEN to anybody but an owner
 */
export async function setInstallationSupport(
  ctx: Context,
  actor: PersonActor,
  input: z.output<typeof setInstallationSupportInput>,
): Promise<InstallationSupport> {
  const { accountId, origin } = actor;
  await ctx.db.transaction(async (tx) => {
    await confirmMember(tx, actor, 'account.manage');
    // Waits for transactions in which installation support writes in the account.
    const account = await lockAccount(tx, accountId);
    const before = describeAccess(account);
    const after = { ...before, ...input };
    if (isDeepStrictEqual(before, after)) return;
    const now = ctx.clock.now();
    await writeAccount(tx, accountId, {
      allowsInstallationSupport: after.is_allowed,
      installationSupportTokens: after.tokens,
      installationSupportPayloads: after.payloads,
      installationSupportErrorTexts: after.error_texts,
    });
    if (!after.is_allowed) {
      await endSupportOfAccount(tx, { accountId, by: actorReference(actor), origin, now });
    }
    await recordAudit(tx, {
      actor,
      action: 'account.installation_support_changed',
      at: now,
      target: { kind: 'account', id: accountId, name: account.name },
      changes: { before, after },
    });
  });
  return await getInstallationSupport(ctx, actor);
}
