import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { Account, updateAccountInput } from '#lib/contract/people/accounts.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Clock } from '../../../clock.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/open.ts';
import type { PersonActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { confirmMember } from '../members/confirm-member.ts';
import { secondFactorRequiredMail } from '../members/membership-mails.ts';
import { createNotices, sendNotices, type Notice } from '../notices/notices.ts';
import { lockAccount, readAccount, writeAccount, type AccountRow } from '../store/accounts.ts';

/** The settings of the actor's account. */
export async function getAccount(ctx: Context, actor: PersonActor): Promise<Account> {
  return describeAccount(await readAccount(ctx.db, actor.accountId));
}

/** An account's settings as the dashboard shows them. */
function describeAccount(account: AccountRow): Account {
  const { secondFactorRequiredFrom } = account;
  return {
    id: account.id,
    name: account.name,
    support: {
      tokens: account.supportTokens,
      payloads: account.supportPayloads,
      error_texts: account.supportErrorTexts,
    },
    second_factor_required_from:
      secondFactorRequiredFrom && formatApiTime(secondFactorRequiredFrom),
    session_hours: account.sessionHours,
  };
}

/**
 * Changes settings of the account; each applies from the next call on. Members who will need a
 * second factor and have none get an email.
 *
 * @throws ServiceError FORBIDDEN to anyone but an owner
 */
export async function updateAccount(
  ctx: Context,
  actor: PersonActor,
  input: z.output<typeof updateAccountInput>,
): Promise<Account> {
  const { account, notices } = await ctx.db.transaction(async (tx) => {
    await confirmMember(tx, actor, 'account.manage');
    const changed = await changeAccount(tx, actor, { input, clock: ctx.clock });
    return { account: changed, notices: await notifyOfRequiredFactor(ctx, tx, { actor, input }) };
  });
  sendNotices(ctx, notices);
  return account;
}

/** Emails of the same date are sent once, however often it is set. */
async function notifyOfRequiredFactor(
  ctx: Context,
  tx: Tx,
  { actor, input }: { actor: PersonActor; input: AccountChanges },
): Promise<Notice[]> {
  const { accountId, personName } = actor;
  const { second_factor_required_from: requiredFrom } = input;
  if (!requiredFrom) return [];
  const from = new Date(requiredFrom);
  return await createNotices(tx, {
    accountId,
    to: { lacks: 'second_factor' },
    subjectId: accountId,
    occasion: from.toISOString(),
    now: ctx.clock.now(),
    mail: () => secondFactorRequiredMail(ctx, { accountId, from, by: ['Required by', personName] }),
  });
}

type AccountChanges = z.output<typeof updateAccountInput>;

/**
 * Changes settings of the account in a transaction that has confirmed that the actor may. The audit
 * log records the previous values; changes of support access get an entry of their own. A setting
 * that is set to the value it has is neither changed nor audited.
 */
export async function changeAccount(
  tx: Tx,
  actor: PersonActor,
  { input, clock }: { input: AccountChanges; clock: Clock },
): Promise<Account> {
  const row = await lockAccount(tx, actor.accountId);
  const at = clock.now();
  const changed: AccountRow = { ...row, ...changesIn(input) };
  const before = describeAccount(row);
  const after = describeAccount(changed);
  if (isDeepStrictEqual(before, after)) return after;
  await writeAccount(tx, actor.accountId, changesIn(input));

  const entry = { actor, at, target: { kind: 'account', id: after.id, name: after.name } };
  if (!isDeepStrictEqual(before.support, after.support)) {
    const changes = { before: before.support, after: after.support };
    await recordAudit(tx, { ...entry, action: 'account.support_access_changed', changes });
  }
  const settings = settingNames.filter((name) => before[name] !== after[name]);
  if (settings.length > 0) {
    const changes = { before: pick(before, settings), after: pick(after, settings) };
    await recordAudit(tx, { ...entry, action: 'account.updated', changes });
  }
  return after;
}

const settingNames = ['name', 'second_factor_required_from', 'session_hours'] as const;

type SettingName = (typeof settingNames)[number];

function pick(account: Account, names: readonly SettingName[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, account[name]]));
}

function changesIn(input: AccountChanges): Partial<AccountRow> {
  const { name, support, second_factor_required_from: requiredFrom, session_hours: hours } = input;
  return {
    ...(name !== undefined && { name }),
    ...(support?.tokens !== undefined && { supportTokens: support.tokens }),
    ...(support?.payloads !== undefined && { supportPayloads: support.payloads }),
    ...(support?.error_texts !== undefined && { supportErrorTexts: support.error_texts }),
    ...(requiredFrom !== undefined && {
      secondFactorRequiredFrom: requiredFrom === null ? null : new Date(requiredFrom),
    }),
    ...(hours !== undefined && { sessionHours: hours }),
  };
}
