import { dayMs } from '#lib/durations.ts';
import type { Config } from '../../config/load-config.ts';
import { mintAccountId } from '../../domain/account-id.ts';
import { expiringKeyMail } from '../../domain/api-keys/announce-expiries.ts';
import { incidentMail } from '../../domain/api-keys/incident/notify-owners.ts';
import { selfRotationMail } from '../../domain/api-keys/rotation/rotate-api-key.ts';
import { supportRotationMail } from '../../domain/api-keys/rotation/notify-of-support.ts';
import { expiryNoticeMail } from '../../domain/api-keys/notify-owners-of-expiry.ts';
import { unusedKeyMail } from '../../domain/api-keys/mail-unused-keys.ts';
import { unconfirmedTokenMail } from '../../domain/api-keys/rotation/mail-unconfirmed-tokens.ts';
import {
  accountDeletedMail,
  accountRestoredMail,
} from '../../domain/people/accounts/delete-account.ts';
import {
  mailChanged,
  mailConfirmation,
  mailRevocation,
  mailAddressInUse,
} from '../../domain/people/email-changes/mail-email-change.ts';
import { mailInvitation } from '../../domain/people/invitations/create-invitation.ts';
import {
  mailAccessReset,
  mailFactorsReset,
} from '../../domain/people/members/operator/reset-access.ts';
import { leakRevocationMail } from '../../domain/api-keys/revoke-api-key.ts';
import {
  memberRemovedMail,
  roleChangedMail,
  secondFactorRequiredMail,
} from '../../domain/people/members/membership-mails.ts';
import { memberJoinedMail } from '../../domain/people/members/member-joined-mail.ts';
import { mailPasswordChange } from '../../domain/people/passwords/set-password.ts';
import { mailResetLink } from '../../domain/people/passwords/password-reset.ts';
import { mailFactorChange } from '../../domain/people/second-factors/mail-factor-change.ts';
import { wrongProofsMail } from '../../domain/people/sessions/count-wrong-proofs.ts';
import { newDeviceMail } from '../../domain/people/sign-in/known-device.ts';
import { plainName, quoteName } from '../../domain/quote-name.ts';
import { leakMail, requestMail } from '../../domain/rotation-requests/request-mail.ts';
import { webhookDeletedMail } from '../../domain/rotation-requests/outcomes/delete-webhook-with-requests.ts';
import { outcomeMail } from '../../domain/rotation-requests/outcomes/mail-outcomes.ts';
import { foundLeakMail } from '../../domain/support-desk/report-unknown-leak.ts';
import {
  deactivationMail,
  failingMail,
  recoveryMail,
  warningMail,
} from '../../domain/webhooks/deactivation/deactivation-mails.ts';
import { contactLinkMail } from '../../domain/webhooks/contact.ts';
import { unconfirmedSecretMail } from '../../domain/webhooks/secret/mail-unconfirmed-secrets.ts';
import type { MailContent } from '../../mail/mail.ts';
import { testMail } from '../../mail/test-mail.ts';
import { FakeClock } from '../clock.ts';
import { RecordingMailer } from '../recording-mailer.ts';
import type { RecordedMail } from '../recording-mailer.ts';

/**
 * Every email of the product, with this name for everything that people can name. A new kind of
 * mail needs a line here; until then, `service/mail/every-mail.test.ts` fails.
 */
export function everyMail(config: Config, name: string): RecordedMail[] {
  const mail = new RecordingMailer(config);
  const clock = new FakeClock();
  const now = clock.now();
  const ctx = { mail, config, clock };
  const email = 'ida@example.com';
  const origin = { ip: '2001:db8::17', userAgent: name, requestId: 'request' };
  const later = new Date(now.getTime() + 3 * dayMs);
  const accountId = mintAccountId('0b7f6a52-9d1c-4e0a-8a53-2f6f3f0e7c11');
  const send = (content: MailContent) =>
    mail.send({ ...content, to: email, name: plainName(name) });
  const rights = {
    role: 'admin',
    support: { tokens: 'within_role', payloads: false, error_texts: false },
  } as const;
  const key = { id: 17, accountId, name, type: 'full', scopes: null } as const;
  const webhook = { id: 17, accountId, name, inactiveReason: null };

  mailInvitation(ctx, {
    invitation: { email, role: 'support', expiresAt: later },
    invitedBy: { name },
    accountName: name,
    link: `${config.publicUrl.origin}/invitation#token`,
  });

  mail.send(testMail(config, email));
  mailResetLink(ctx, { email, token: 'token', expiresAt: later });
  mailPasswordChange(ctx, { email, origin, now });
  mailAccessReset(ctx, { email, isVerified: true });
  mailFactorChange(ctx, {
    email,
    subject: 'A passkey was added',
    what: `The passkey ${quoteName(name)} can confirm that it is you from now on.`,
  });
  mailFactorsReset(ctx, { email });
  send(newDeviceMail(config, { email, origin, now }));
  send(wrongProofsMail(config, { email, origin, now }));

  const change = { name, oldEmail: email, newEmail: 'ida@marlow.example.com', token: 'token' };
  mailConfirmation(ctx, { ...change, confirmableUntil: later });
  mailAddressInUse(ctx, change);
  mailRevocation(ctx, change);
  mailChanged(ctx, { ...change, now, revocableUntil: later });

  const owner = { accountId, personName: name, email };
  send(accountDeletedMail(ctx, owner, { accountName: name, erasedAt: later }));
  send(accountRestoredMail(ctx, owner, name));

  const person = { id: 'person', name, email: 'kim@example.com' };
  send(memberJoinedMail(ctx, { accountId, person, role: 'admin', addedBy: name, now }));
  send(roleChangedMail(ctx, { accountId, role: 'admin', previousRole: 'viewer', changedBy: name }));
  send(memberRemovedMail(ctx, { accountName: name, removedBy: name }));
  send(secondFactorRequiredMail(ctx, { accountId, from: later, by: ['Required by', name] }));
  const by = [['Reported by', plainName(name)]] as const;
  send(leakRevocationMail(ctx, { key, note: name, revokedBy: by, now }));
  send(foundLeakMail(ctx, { key, reportedBy: by, now }));
  send(supportRotationMail(ctx, { key, lastFour: '4f2a', by, now }));
  send(supportRotationMail(ctx, { key, lastFour: '4f2a', isUndo: true, by, now }));
  send(selfRotationMail(ctx, { key, lastFour: '4f2a', address: origin.ip, now }));
  const incident = {
    uuid: '6e0f2b1c-7d5a-4f0e-9c3b-1a2b3c4d5e6f',
    reason: name,
    created_at: now.toISOString(),
    created_by: { name },
    counts: { waiting: 0, done: 9, skipped: 1, failed: 1, cancelled: 1 },
  };
  send(
    incidentMail(ctx, {
      accountId,
      incident: { ...incident, act: 'revoke', cancelled_by: { name } },
    }),
  );
  send(
    incidentMail(ctx, { accountId, incident: { ...incident, act: 'rotate', cancelled_by: null } }),
  );
  send(unusedKeyMail(ctx, { ...key, isUsed: true, unusedSince: now }));
  send(expiringKeyMail(ctx, { key, lastFour: '4f2a', expiresAt: later, now }));
  send(expiryNoticeMail(ctx, { key, expiresAt: later, askedBy: by }));
  send(unconfirmedTokenMail(ctx, { key, lastFour: '4f2a', unconfirmedSince: now }, rights));
  const uuid = 'c1b5c7de-4a8e-4d4c-9f5e-2b7a93d6e8fa';
  for (const [act, target] of [
    ['rotate', key],
    ['regenerate_secret', webhook],
    ['resume', webhook],
  ] as const) {
    const request = {
      uuid,
      act,
      reason: 'leaked',
      note: name,
      createdAt: now,
      expiresAt: later,
    } as const;
    send(requestMail(ctx, { request, target, requestedBy: { name } }));
    send(leakMail(ctx, { request, target, member: { name }, reportedBy: by, count: 3 }));
  }
  const ended = {
    uuid,
    act: 'rotate',
    reason: 'lost',
    closedAt: now,
    closedBy: { kind: 'person', id: 'ida', name },
    closedBecause: null,
    declineReason: null,
  } as const;
  for (const state of ['done', 'declined', 'withdrawn', 'revoked', 'expired'] as const) {
    const closed = {
      ...ended,
      state,
      ...(state === 'declined' && { declineReason: 'later' as const }),
    };
    send(
      outcomeMail(ctx, { request: closed, target: key, requestedBy: { name }, member: { name } }),
    );
  }

  send(webhookDeletedMail(ctx, { accountId, act: 'resume', name, by: name, now }));
  send(unconfirmedSecretMail(ctx, { webhook, unconfirmedSince: now }, rights));
  send(failingMail(ctx, webhook, { failingSince: now, failureCount: 3 }));
  send(warningMail(ctx, webhook, now));
  send(deactivationMail(ctx, webhook, 'gone'));
  send(recoveryMail(ctx, webhook));
  send({ ...recoveryMail(ctx, webhook), kind: 'webhook.contact_told' });
  send(contactLinkMail(ctx, { name, account: name, token: 'token', expiresAt: later }));
  return mail.mails;
}
