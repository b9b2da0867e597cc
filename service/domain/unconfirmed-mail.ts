import type { MemberRights } from '#lib/contract/member-rights.ts';
import { dayMs } from '#lib/durations.ts';
import type { ActorReference } from '../db/schema/columns.ts';
import type { Tx } from '../db/open.ts';
import type { MailContent } from '../mail/mail.ts';
import { mintAccountId } from './account-id.ts';
import { createNotices } from './notices/create-notices.ts';
import type { Notice } from './notices/create-notices.ts';
import { getSupportAccess } from './people/members/get-support-access.ts';

/** For a person who was shown a token or secret, and whose role no longer allows them either step. */
export const mayNotConfirm =
  'Your role no longer lets you confirm that you have it, or be shown a new one. Ask an owner or an admin.';

/** A token or secret that was shown before this moment and is unconfirmed gets an email. */
export function shownBefore(now: Date): Date {
  return new Date(now.getTime() - dayMs);
}

/**
 * Writes down an email to the person a token or secret was shown to, if they are still a member: once
 * for each time that one was shown.
 */
export async function notifyRecipient(
  tx: Tx,
  about: {
    accountId: string;
    revealedTo: ActorReference | null;
    /** Of the key or webhook that the token or secret belongs to. */
    subjectId: string;
    unconfirmedSince: Date;
    now: Date;
    /** What it says to somebody with these rights, which may be fewer than when they were shown it. */
    mail: (rights: MemberRights) => MailContent;
  },
): Promise<Notice[]> {
  const { revealedTo, subjectId, unconfirmedSince, now, mail } = about;
  if (!revealedTo?.id) return [];
  const accountId = mintAccountId(about.accountId);
  const support = await getSupportAccess(tx, accountId);
  return await createNotices(tx, {
    accountId,
    to: { personId: revealedTo.id },
    subjectId,
    occasion: unconfirmedSince.toISOString(),
    now,
    mail: ({ role }) => mail({ role, support }),
  });
}
