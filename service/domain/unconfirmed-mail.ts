import type { MemberRights } from '#lib/contract/api-keys/ceiling.ts';
import type { Context } from '../context.ts';
import type { ActorReference } from '../db/schema.ts';
import type { MailContent } from '../mail/mail.ts';
import { mintAccountId } from './account-id.ts';
import { wantsMail } from './notices/rules.ts';
import { getSupportAccess } from './people/members/get-support-access.ts';
import { listMembers } from './people/members/list-members.ts';
import { plainName } from './quote-name.ts';

const dayMs = 86_400_000;

/** For a person who was shown a token or secret, and whose role no longer allows them either step. */
export const mayNotConfirm =
  'Your role no longer lets you confirm that you have it, or be shown a new one. Ask an owner or an admin.';

/** A token or secret that was shown before this moment and is unconfirmed gets a mail. */
export function shownBefore(now: Date): Date {
  return new Date(now.getTime() - dayMs);
}

/**
 * Sends a mail to the person a token or secret was shown to, if they are still a member. Call it
 * after the commit. A failure is only logged: the dashboard shows the same notice.
 */
export async function mailRecipient(
  ctx: Pick<Context, 'db' | 'log' | 'mail'>,
  about: {
    accountId: string;
    revealedTo: ActorReference | null;
    /** What it says to somebody with these rights, which may be fewer than when they were shown it. */
    mail: (rights: MemberRights) => MailContent;
  },
): Promise<void> {
  const { accountId, revealedTo, mail } = about;
  try {
    const account = mintAccountId(accountId);
    const members = await listMembers(ctx.db, account);
    const member = members.find(({ id }) => id === revealedTo?.id);
    if (!member) return;
    const rights = { role: member.role, support: await getSupportAccess(ctx.db, account) };
    const content = mail(rights);
    if (!wantsMail(member.turnedOffMails, content.kind)) return;
    ctx.mail.send({ ...content, to: member.email, name: plainName(member.name) });
  } catch (error) {
    ctx.log.error(
      { err: error, accountId },
      'could not send the mail about an unconfirmed token or secret',
    );
  }
}
