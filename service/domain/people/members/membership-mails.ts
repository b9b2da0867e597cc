import { roleTable, type Role } from '#lib/contract/rights/roles.ts';
import { formatExact } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { MailContent } from '../../../mail/mail.ts';
import type { AccountId } from '../../account-id.ts';
import { dashboardLink } from '../../dashboard-link.ts';
import { plainName, quoteName, quoteShortName } from '../../quote-name.ts';

// What a member is told about their own membership.

type MailContext = { config: Pick<Context['config'], 'publicUrl'> };

export function roleChangedMail(
  ctx: MailContext,
  change: { accountId: AccountId; role: Role; previousRole: Role; changedBy: string },
): MailContent {
  const { accountId, role, previousRole, changedBy } = change;
  return {
    kind: 'member.role_changed',
    subject: `Your role is now ${roleTable[role].label}`,
    paragraphs: [`Your role in the account below was changed. ${roleTable[role].description}`],
    facts: [
      ['Role', roleTable[role].label],
      ['Before', roleTable[previousRole].label],
      ['Changed by', plainName(changedBy)],
    ],
    action: { label: 'Open the team', url: dashboardLink(ctx, accountId, 'settings/team') },
  };
}

export function memberRemovedMail(
  { config }: MailContext,
  { accountName, removedBy }: { accountName: string; removedBy: string },
): MailContent {
  return {
    kind: 'member.removed',
    subject: `You were removed from ${quoteShortName(accountName)}`,
    paragraphs: [
      `You are no longer a member of the account ${quoteName(accountName)}, and cannot open it any more. If this is a mistake, ask the person below to invite you again.`,
    ],
    facts: [['Removed by', plainName(removedBy)]],
    action: { label: 'Sign in', url: `${config.publicUrl.origin}/sign-in` },
  };
}

export function secondFactorRequiredMail(
  ctx: MailContext,
  { accountId, from, by }: { accountId: AccountId; from: Date; by: readonly [string, string] },
): MailContent {
  return {
    kind: 'second_factor.required',
    subject: 'Your account requires a second factor',
    paragraphs: [
      'The account below requires a second factor from the time below on, and you have none. Add a passkey or an authenticator app before then. Afterwards you can open the account only once you have one.',
    ],
    facts: [
      ['Required from', formatExact(from, 'UTC')],
      [by[0], plainName(by[1])],
    ],
    action: {
      label: 'Set up a second factor',
      url: dashboardLink(ctx, accountId, 'settings/security'),
    },
  };
}
