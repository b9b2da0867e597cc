import type { LinkKind } from '#lib/contract/people/links.ts';
import type { Context } from '../../context.ts';
import type { Origin } from '../actor.ts';
import type { ServiceError } from '../errors.ts';
import { invalidConfirmationError, invalidRevocationError } from './email-changes/rules.ts';
import { invalidInvitationError } from './invitations/find-open-invitation.ts';
import { digestLinkToken, limitLinks, newLinkToken } from './links.ts';
import { invalidResetError } from './passwords/password-reset.ts';
import { invalidSetUpTokenError } from './set-up/set-up-token.ts';
import { deleteExpiredEmailChanges } from './store/email-changes.ts';
import { replaceLinkDigest } from './store/links.ts';
import { deleteExpiredPasswordResets } from './store/password-resets.ts';
import { deleteExpiredPendingSignIns } from './store/pending-sign-ins.ts';

/**
 * Exchanges the token of a link for one that only the calling browser gets. Anyone who finds the
 * link later, for example in the history of the browser or in a mailbox, cannot use it: it is bound
 * to this browser until its own time ends. A person asks for this by pressing a button, because
 * programs that check emails open links too.
 *
 * @returns the new token, and for how many seconds it works
 * @throws ServiceError VALIDATION_ERROR with `details` as for a wrong token; RATE_LIMIT_EXCEEDED
 */
export async function openLink(
  ctx: Context,
  { kind, token, origin }: { kind: LinkKind; token: string; origin: Origin },
): Promise<{ token: string; maxAgeSeconds: number }> {
  await limitLinks(ctx, origin);
  const now = ctx.clock.now();
  const exchanged = newLinkToken();
  const until = await replaceLinkDigest(ctx.db, kind, {
    digest: digestLinkToken(token),
    newDigest: digestLinkToken(exchanged),
    now,
  });
  if (!until) throw errors[kind]();
  const maxAgeSeconds = Math.floor((until.getTime() - now.getTime()) / 1000);
  return { token: exchanged, maxAgeSeconds };
}

const errors: Readonly<Record<LinkKind, () => ServiceError>> = {
  invitation: invalidInvitationError,
  password_reset: invalidResetError,
  email_confirmation: invalidConfirmationError,
  email_revocation: invalidRevocationError,
  set_up: invalidSetUpTokenError,
};

/** Removes links, pending sign-ins and challenges that can no longer be used. */
export async function deleteExpiredLinks({
  db,
  clock,
}: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  await deleteExpiredPasswordResets(db, now);
  await deleteExpiredEmailChanges(db, now);
  await deleteExpiredPendingSignIns(db, now);
}
