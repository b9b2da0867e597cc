import type { Context } from '../context.ts';
import type { ActorReference } from '../db/schema.ts';
import { mintAccountId } from './account-id.ts';
import { dashboardLink } from './dashboard-link.ts';
import { listMembers } from './people/members/list-members.ts';

const dayMs = 86_400_000;

/** A token or secret that was shown before this moment and is unconfirmed gets a mail. */
export function shownBefore(now: Date): Date {
  return new Date(now.getTime() - dayMs);
}

/**
 * Sends a mail to the person a token or secret was shown to, if they are still a member. Call it
 * after the commit. A failure is only logged: the dashboard shows the same notice.
 */
export async function mailRecipient(
  ctx: Pick<Context, 'db' | 'log' | 'mail' | 'config'>,
  about: {
    accountId: string;
    revealedTo: ActorReference | null;
    subject: string;
    lines: readonly string[];
    /** The page of the dashboard where they find it. */
    page: string;
  },
): Promise<void> {
  const { accountId, revealedTo, subject, lines, page } = about;
  try {
    const members = await listMembers(ctx.db, mintAccountId(accountId));
    const member = members.find(({ id }) => id === revealedTo?.id);
    if (!member) return;
    const text = [...lines, dashboardLink(ctx, accountId, page)].join('\n\n');
    ctx.mail.send({ to: member.email, subject, text });
  } catch (error) {
    ctx.log.error(
      { err: error, page },
      'could not send the mail about an unconfirmed token or secret',
    );
  }
}
