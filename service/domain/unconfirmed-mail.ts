import type { Context } from '../context.ts';
import type { ActorReference } from '../db/schema.ts';
import { mintAccountId } from './account-id.ts';
import { dashboardLink } from './dashboard-link.ts';
import { listMembers } from './people/members/list-members.ts';

const dayMs = 86_400_000;

/** Whoever was shown a token or secret before this moment had time enough to confirm having it. */
export function shownBefore(now: Date): Date {
  return new Date(now.getTime() - dayMs);
}

/**
 * Sends a mail to whoever was shown a token or secret, if they are still a member of the account.
 * To be called after the commit. A mail that cannot be made is logged: the dashboard says the same.
 */
export async function mailWhomItWasShown(
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
    ctx.log.error({ err: error, page }, 'nobody could be told of what is unconfirmed');
  }
}
