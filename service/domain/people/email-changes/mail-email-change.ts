import { emailRevocationDays } from '#lib/contract/people/email-changes.ts';
import { formatExact } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import { quoteName } from '../../quote-name.ts';

type Mailing = Pick<Context, 'mail' | 'config'>;
type Change = { name: string; oldEmail: string; newEmail: string };

/** Asks the new address to confirm. The token is in the fragment, which no server logs. */
export function mailConfirmation(
  ctx: Mailing,
  { name, newEmail, token, confirmableUntil }: Change & { token: string; confirmableUntil: Date },
): void {
  const { publicUrl } = ctx.config;
  ctx.mail.send({
    kind: 'email_change.confirmation',
    to: newEmail,
    subject: 'Confirm your email address',
    paragraphs: [
      `${quoteName(name)} wants to sign in to ${publicUrl.host} as ${newEmail}. If this is you, open the link and confirm. It works once, until ${formatExact(confirmableUntil, 'UTC')}.`,
    ],
    action: {
      label: 'Confirm this address',
      url: `${publicUrl.origin}/confirm-email#${token}`,
    },
    closing: [
      'If you did not ask for this, ignore this email. Confirming would let that person sign in with your address.',
    ],
  });
}

/** For an address of another person, who learns what the person who asked must not. */
export function mailAddressInUse(ctx: Mailing, { newEmail }: Change): void {
  const { publicUrl } = ctx.config;
  ctx.mail.send({
    kind: 'email_change.taken',
    to: newEmail,
    subject: 'Your email address was not changed',
    paragraphs: [
      `Someone who signs in to ${publicUrl.host} with another address asked to use ${newEmail}. It already belongs to a person there, so nothing was changed.`,
      `If it was you, sign in as ${newEmail}. If you no longer know the password, choose a new one.`,
    ],
    action: { label: 'Choose a new password', url: `${publicUrl.origin}/forgot-password` },
  });
}

/** Lets the present address undo the change, before and after it is confirmed. */
export function mailRevocation(
  ctx: Mailing,
  { oldEmail, newEmail, token }: Change & { token: string },
): void {
  const { publicUrl } = ctx.config;
  ctx.mail.send({
    kind: 'email_change.requested',
    to: oldEmail,
    subject: 'Your email address is about to change',
    paragraphs: [
      `Someone who is signed in to ${publicUrl.host} as you asked to replace ${oldEmail} with ${newEmail}. It changes once that address confirms.`,
      `If it was you, do nothing. If not, open the link: it keeps ${oldEmail} or brings it back, signs you out everywhere and lets you choose a new password. It works until ${emailRevocationDays} days after the change, so keep this email.`,
    ],
    action: {
      label: `Keep ${oldEmail}`,
      url: `${publicUrl.origin}/revoke-email-change#${token}`,
    },
  });
}

/** Tells the previous address of the change. The link to undo it was emailed before. */
export function mailChanged(
  ctx: Mailing,
  {
    oldEmail,
    newEmail,
    now,
    revocableUntil,
  }: Omit<Change, 'name'> & { now: Date; revocableUntil: Date },
): void {
  ctx.mail.send({
    kind: 'email_change.done',
    to: oldEmail,
    subject: 'Your email address was changed',
    paragraphs: [
      `Since ${formatExact(now, 'UTC')} you sign in to ${ctx.config.publicUrl.host} as ${newEmail}, no longer as ${oldEmail}.`,
      `If it was not you, undo it with the link in the email “Your email address is about to change”, which we sent to this address earlier. It works until ${formatExact(revocableUntil, 'UTC')}.`,
    ],
    action: { label: 'Sign in', url: `${ctx.config.publicUrl.origin}/sign-in` },
  });
}
