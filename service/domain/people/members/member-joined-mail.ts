import { roleTable } from '#lib/contract/rights/roles.ts';
import type { Role } from '#lib/contract/rights/roles.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/open.ts';
import type { MailContent } from '../../../mail/mail.ts';
import type { AccountId } from '../../account-id.ts';
import { dashboardLink } from '../../dashboard-link.ts';
import { createNotices, type Notice } from '../notices/notices.ts';
import { plainName, quoteName, quoteShortName } from '../../quote-name.ts';

type Joined = {
  accountId: AccountId;
  person: { id: string; name: string; email: string };
  role: Role;
  /** The name of the person who invited or added them. */
  addedBy: string;
  now: Date;
};

/** Creates notices to those who manage the team, in the transaction in which someone joins. */
export async function notifyMemberJoined(
  tx: Tx,
  ctx: { config: Pick<Context['config'], 'publicUrl'> },
  joined: Joined,
): Promise<Notice[]> {
  const { accountId, person, now } = joined;
  return await createNotices(tx, {
    accountId,
    to: { act: 'team.manage' },
    except: person.id,
    subjectId: person.id,
    occasion: now.toISOString(),
    now,
    mail: () => memberJoinedMail(ctx, joined),
  });
}

export function memberJoinedMail(
  ctx: { config: Pick<Context['config'], 'publicUrl'> },
  { accountId, person, role, addedBy }: Joined,
): MailContent {
  return {
    kind: 'member.joined',
    subject: `Your team has a new member: ${quoteShortName(person.name)}`,
    paragraphs: [
      `${quoteName(person.name)} is now a member of your account, with the role ${roleTable[role].label}. If nobody should have invited them, remove them on the page of the team.`,
    ],
    facts: [
      ['Name', plainName(person.name)],
      ['Email address', person.email],
      ['Role', roleTable[role].label],
      ['Added by', plainName(addedBy)],
    ],
    action: { label: 'Open the team', url: dashboardLink(ctx, accountId, 'settings/team') },
  };
}
