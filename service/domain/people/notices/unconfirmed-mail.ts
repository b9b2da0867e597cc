import type { MemberRights } from '#lib/contract/rights/member-rights.ts';
import { dayMs } from '#lib/durations.ts';
import type { ActorReference } from '../../../db/schema/columns.ts';
import type { Tx } from '../../../db/open.ts';
import type { MailContent } from '../../../mail/mail.ts';
import { mintAccountId } from '../../account-id.ts';
import { createNotices, type Notice } from './notices.ts';
import { getSupportAccess } from '../members/read-members.ts';

/**
 * For a person who was shown a token or secret, and whose role no longer allows them to confirm or
 * replace it.
 */
export const mayNotConfirm =
  'Your role no longer lets you confirm that you have it, or be shown a new one. Ask an owner or an admin.';

/**
 * An email is sent about a token or secret that was shown before this moment and is unconfirmed.
 */
export function shownBefore(now: Date): Date {
  return new Date(now.getTime() - dayMs);
}

/**
 * Creates an email to the person to whom a token or secret was shown, if they are still a member:
 * once for each time that one was shown.
 */
export async function notifyRecipient(
  tx: Tx,
  input: {
    accountId: string;
    shownTo: ActorReference | null;
    /** The uuid of the key or webhook to which the token or secret belongs. */
    subjectId: string;
    unconfirmedSince: Date;
    now: Date;
    /**
     * The text for a member with these rights, which may be fewer than at the time it was shown to
     * them.
     */
    mail: (rights: MemberRights) => MailContent;
  },
): Promise<Notice[]> {
  const { shownTo, subjectId, unconfirmedSince, now, mail } = input;
  if (!shownTo?.id) return [];
  const accountId = mintAccountId(input.accountId);
  const support = await getSupportAccess(tx, accountId);
  return await createNotices(tx, {
    accountId,
    to: { personId: shownTo.id },
    subjectId,
    occasion: unconfirmedSince.toISOString(),
    now,
    mail: ({ role }) => mail({ role, support }),
  });
}
