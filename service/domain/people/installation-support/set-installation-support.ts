import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type {
  InstallationSupport,
  setInstallationSupportInput,
} from '#lib/contract/people/installation-support.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/open.ts';
import type { ActorReference } from '../../../db/schema/columns.ts';
import type { AccountId } from '../../account-id.ts';
import { actorReference, type Origin, type PersonActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { runEffects } from '../../effects.ts';
import { ServiceError } from '../../errors.ts';
import { confirmMember } from '../members/confirm-member.ts';
import { lockAccount, readAccount, writeAccount, type AccountRow } from '../store/accounts.ts';
import {
  closeVisits,
  listSupporterRows,
  listVisitors,
  type SupporterRow,
} from '../store/installation-support.ts';

/** Who supports the installation, when they last opened the account, and their rights there. */
export async function getInstallationSupport(
  ctx: Context,
  { accountId }: PersonActor,
): Promise<InstallationSupport> {
  const account = await readAccount(ctx.db, accountId);
  return describeInstallationSupport(account, await listSupporterRows(ctx.db, accountId));
}

/**
 * Sets whether installation support can open the account, and what they can be shown there; it
 * applies from their next call on. The audit log records the previous values. Setting the same
 * values again changes nothing and is not audited.
 *
 * @throws ServiceError FORBIDDEN to anyone but an owner
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
      await endSupportOfAccount(ctx, tx, { accountId, by: actorReference(actor), origin, now });
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

/** Ends the visits in a locked account that no longer allows installation support. */
async function endSupportOfAccount(
  { effects }: Context,
  tx: Tx,
  input: { accountId: AccountId; by: ActorReference; origin: Origin | null; now: Date },
): Promise<void> {
  const { accountId, now } = input;
  await closeVisits(tx, { accountId, now });
  for (const personId of await listVisitors(tx, accountId)) {
    await runEffects(tx, effects.supportEnded, {
      ...input,
      personId,
      because: 'closed_to_support',
    });
  }
}

/** To installation support that had the account open when an owner closed it to them. */
export function accountClosedError(closedAt: Date): ServiceError {
  return new ServiceError('NOT_FOUND', {
    customMessage: `An owner closed this account to installation support at ${formatApiTime(closedAt)}.`,
  });
}

/** Installation support as the dashboard shows it in one account. */
function describeInstallationSupport(
  account: AccountRow,
  supporters: readonly SupporterRow[],
): InstallationSupport {
  return {
    ...describeAccess(account),
    people: supporters.map(({ addedAt, lastOpenedAt, lastReason, ...person }) => ({
      ...person,
      added_at: formatApiTime(addedAt),
      last_opened_at: lastOpenedAt && formatApiTime(lastOpenedAt),
      last_reason: lastReason,
    })),
  };
}

/** With the names of the API, which the audit log also uses. */
function describeAccess(account: AccountRow) {
  return {
    is_allowed: account.allowsInstallationSupport,
    tokens: account.installationSupportTokens,
    payloads: account.installationSupportPayloads,
    error_texts: account.installationSupportErrorTexts,
  };
}
