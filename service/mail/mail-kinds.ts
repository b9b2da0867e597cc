import type { MailPreference } from '#lib/contract/people/mail-preference-table.ts';

/** The properties of a kind of mail. */
type MailKindEntry = {
  /** When the email is sent. */
  when: string;
  /** Who gets the email. */
  to: string;
  /** The end of the sentence "You get this email because …" in its last lines. */
  because: string;
  /** The page of its link, with braces around variable parts. */
  link: `/${string}`;
  /** The preference that turns it off; null if it is always sent. */
  preference: MailPreference | null;
  /** Whether the recipient may belong to no account, and so has no preferences. */
  isToStranger?: true;
};

/** Every email of the product. `npm run docs` writes the table to `docs/guides/emails.md`. */
export const mailKinds = {
  invitation: {
    when: 'Someone is invited to an account, or the invitation is renewed',
    to: 'The invited address',
    because: 'someone invited this address to an account',
    link: '/invitation',
    preference: null,
    isToStranger: true,
  },
  'password.reset_requested': {
    when: 'A new password is requested',
    to: 'The person with this address',
    because: 'someone requested a new password for this address',
    link: '/reset-password',
    preference: null,
  },
  'password.changed': {
    when: 'A password is changed',
    to: 'The person',
    because: 'you sign in with this password',
    link: '/forgot-password',
    preference: null,
  },
  'password.reset_by_operator': {
    when: 'An operator replaces a password',
    to: 'The person',
    because: 'you sign in with this password',
    link: '/forgot-password',
    preference: null,
  },
  'second_factor.changed': {
    when: 'A second factor is added or removed, or recovery codes are created or used',
    to: 'The person',
    because: 'you sign in with these second factors',
    link: '/settings/security',
    preference: null,
  },
  'second_factor.reset_by_operator': {
    when: 'An operator removes second factors',
    to: 'The person',
    because: 'you signed in with these second factors',
    link: '/settings/security',
    preference: null,
  },
  'device.new': {
    when: 'Someone signs in on a device that is not known',
    to: 'The person',
    because: 'you sign in with this address',
    link: '/settings/security',
    preference: null,
  },
  'session.ended_by_wrong_proofs': {
    when: 'A session ends after 20 wrong passwords or second factors',
    to: 'The person',
    because: 'you sign in with this address',
    link: '/settings/security',
    preference: null,
  },
  'email_change.confirmation': {
    when: 'A new email address is waiting for confirmation',
    to: 'The new address',
    because: 'someone requested to sign in with this address',
    link: '/confirm-email',
    preference: null,
    isToStranger: true,
  },
  'email_change.taken': {
    when: 'Someone requests an address that another person signs in with',
    to: 'The person with this address',
    because: 'you sign in with this address',
    link: '/forgot-password',
    preference: null,
  },
  'email_change.requested': {
    when: 'A change of an email address is requested',
    to: 'The current address',
    because: 'you sign in with this address',
    link: '/revoke-email-change',
    preference: null,
  },
  'email_change.done': {
    when: 'An email address was changed',
    to: 'The previous address',
    because: 'you signed in with this address',
    link: '/sign-in',
    preference: null,
  },
  'account.deleted': {
    when: 'An account is deleted',
    to: 'Its owners',
    because: 'you are an owner of this account',
    link: '/a/{account}/settings/account',
    preference: null,
  },
  'account.restored': {
    when: 'A deleted account is restored',
    to: 'Its owners',
    because: 'you are an owner of this account',
    link: '/a/{account}/settings/account',
    preference: null,
  },
  'api_key.revoked_as_leaked': {
    when: 'Support revokes a key as leaked',
    to: 'Owners and admins',
    because: 'you manage the keys of this account',
    link: '/a/{account}/settings/api-keys/{key}',
    preference: null,
  },
  'incident.ended': {
    when: 'An incident is over or was cancelled',
    to: 'Owners',
    because: 'you are an owner of this account',
    link: '/a/{account}/settings/api-keys/incident/{incident}',
    preference: null,
  },
  'api_key.expiring': {
    when: 'A key expires in 7 days, and again 1 day before',
    to: 'Owners and admins',
    because: 'you manage the keys of this account',
    link: '/a/{account}/settings/api-keys/{key}',
    preference: 'api_keys',
  },
  'api_key.expiry_noticed': {
    when: 'Support asks the owners to look at a key that expires within 7 days, once a day for each key at most',
    to: 'Owners',
    because: 'you are an owner of this account',
    link: '/a/{account}/settings/api-keys/{key}',
    preference: null,
  },
  'api_key.unused': {
    when: 'No successful call was made with a key for 90 days',
    to: 'Owners and admins',
    because: 'you manage the keys of this account',
    link: '/a/{account}/settings/api-keys/{key}',
    preference: 'api_keys',
  },
  'api_key.unconfirmed': {
    when: 'A token is unconfirmed for 24 hours',
    to: 'The member it was shown to',
    because: 'this token was shown to you',
    link: '/a/{account}/settings/api-keys/{key}',
    preference: 'api_keys',
  },
  'api_key.rotated_by_support': {
    when: 'Support rotates a key, is shown a new token of one, or undoes a rotation',
    to: 'Owners and admins',
    because: 'you manage the keys of this account',
    link: '/a/{account}/settings/api-keys/{key}',
    preference: null,
  },
  'api_key.rotated_itself': {
    when: 'A key rotates itself',
    to: 'Owners and admins',
    because: 'you manage the keys of this account',
    link: '/a/{account}/settings/api-keys/{key}',
    preference: null,
  },
  'leak.reported': {
    when: 'A token or a signing secret is reported as leaked',
    to: 'Owners, admins and the member who is asked',
    because: 'you manage keys or webhooks of this account, or are asked about this leak',
    link: '/a/{account}/settings/rotation-requests/{request}',
    preference: null,
  },
  'leak.found': {
    when: 'Someone who cannot open the account reports that they have a token of it',
    to: 'Owners and admins',
    because: 'you manage the keys of this account',
    link: '/a/{account}/settings/api-keys/{key}',
    preference: null,
  },
  'rotation_request.created': {
    when: 'A member is asked to rotate a key, to regenerate a signing secret or to resume a webhook',
    to: 'The member who is asked',
    because: 'someone with access to this account asked you',
    link: '/a/{account}/settings/rotation-requests/{request}',
    preference: null,
  },
  'rotation_request.ended': {
    when: 'A request is done, declined, withdrawn or expires, or its key is revoked',
    to: 'The requester, or the recipient if the requester ended it',
    because: 'you made this request, or were asked',
    link: '/a/{account}/settings/rotation-requests/{request}',
    preference: 'rotation_requests',
  },
  'rotation_request.webhook_deleted': {
    when: 'A webhook is deleted while a request about it is open',
    to: 'The requester',
    because: 'you made this request',
    link: '/a/{account}/settings/rotation-requests',
    preference: 'rotation_requests',
  },
  'webhook.secret_unconfirmed': {
    when: 'A signing secret is unconfirmed for 24 hours',
    to: 'The member it was shown to',
    because: 'this signing secret was shown to you',
    link: '/a/{account}/settings/webhooks/{webhook}',
    preference: 'webhooks',
  },
  'webhook.contact': {
    when: 'An address is named as the contact of a webhook',
    to: 'The address',
    because: 'someone named this address as the contact for failures of a webhook',
    link: '/confirm-contact',
    preference: null,
    isToStranger: true,
  },
  'webhook.contact_told': {
    when: 'A webhook begins to fail, is about to be deactivated, is deactivated, or works again',
    to: 'The contact of the webhook, once the address is confirmed',
    because: 'this address is the contact for failures of this webhook',
    link: '/a/{account}/settings/webhooks/{webhook}',
    preference: null,
    isToStranger: true,
  },
  'webhook.recovered': {
    when: 'A webhook works again after it was failing or deactivated, once a day for each webhook at most',
    to: 'Owners and admins',
    because: 'you manage the webhooks of this account',
    link: '/a/{account}/settings/webhooks/{webhook}',
    preference: 'webhooks',
  },
  'webhook.failing': {
    when: 'A webhook begins to fail, once a day for each webhook at most',
    to: 'Owners and admins',
    because: 'you manage the webhooks of this account',
    link: '/a/{account}/settings/webhooks/{webhook}',
    preference: 'webhooks',
  },
  'webhook.deactivation_warned': {
    when: 'A webhook has failed for 2½ days, and again after 4 days',
    to: 'Owners and admins',
    because: 'you manage the webhooks of this account',
    link: '/a/{account}/settings/webhooks/{webhook}',
    preference: 'webhooks',
  },
  'webhook.deactivated': {
    when: 'A webhook is deactivated',
    to: 'Owners and admins',
    because: 'you manage the webhooks of this account',
    link: '/a/{account}/settings/webhooks/{webhook}',
    preference: 'webhooks',
  },
  'member.role_changed': {
    when: 'The role of a member is changed',
    to: 'The member',
    because: 'you are a member of this account',
    link: '/a/{account}/settings/team',
    preference: null,
  },
  'member.removed': {
    when: 'A member is removed from an account',
    to: 'The person',
    because: 'you were a member of this account',
    link: '/sign-in',
    preference: null,
    isToStranger: true,
  },
  'second_factor.required': {
    when: 'An owner requires a second factor, or someone reminds a member of it',
    to: 'Members without one, or that member',
    because: 'you are a member of this account',
    link: '/a/{account}/settings/security',
    preference: null,
  },
  'member.joined': {
    when: 'Someone joins an account',
    to: 'Owners and admins',
    because: 'you manage the team of this account',
    link: '/a/{account}/settings/team',
    preference: 'new_members',
  },
  'installation.tested': {
    when: 'An operator runs the command `doctor` with an address',
    to: 'That address',
    because: 'an operator sent it to this address',
    link: '/sign-in',
    preference: null,
    isToStranger: true,
  },
} as const satisfies Record<string, MailKindEntry>;

export type MailKind = keyof typeof mailKinds;

export function mailKindOf(kind: MailKind): MailKindEntry {
  return mailKinds[kind];
}
