import 'server-only';
import type { z } from 'zod';
import * as contract from '../../contract/people/email-changes.ts';
import type { EmailChange } from '../../contract/people/email-changes.ts';
import * as mailPreferences from '../../contract/people/mail-preferences.ts';
import type { MailPreferences } from '../../contract/people/mail-preferences.ts';
import { renamePerson as renamePersonRoute } from '../../contract/people/person.ts';
import { request } from '../client/client.ts';

/** Changes the person's own name. @throws ApiError */
export async function renamePerson(name: string): Promise<void> {
  await request(renamePersonRoute, { body: { name } });
}

/** Which optional emails the person gets. @throws ApiError */
export async function getMailPreferences(): Promise<MailPreferences> {
  return (await request(mailPreferences.getMailPreferences, {})).data;
}

/** Turns emails on or off for the person. @throws ApiError */
export async function updateMailPreferences(
  change: z.output<typeof mailPreferences.updateMailPreferencesInput>,
): Promise<MailPreferences> {
  return (await request(mailPreferences.updateMailPreferences, { body: change })).data;
}

/** Whether the person's email is about to change, or was changed recently. @throws ApiError */
export async function getEmailChange(): Promise<EmailChange> {
  return (await request(contract.getEmailChange, {})).data;
}

/** Requests a change of the person's email address. @throws ApiError */
export async function requestEmailChange(email: string): Promise<EmailChange> {
  return (await request(contract.requestEmailChange, { body: { email } })).data;
}

/** Cancels a change that waits to be confirmed. @throws ApiError NOT_FOUND if there is none */
export async function cancelEmailChange(): Promise<void> {
  await request(contract.cancelEmailChange, {});
}

/** Whose new address a link confirms, and until when. @throws ApiError if it is no longer valid */
export async function checkEmailConfirmation(
  token: string,
): Promise<{ email: string; name: string; expiresAt: string }> {
  const body = { confirm_token: token };
  const {
    email,
    name,
    expires_at: expiresAt,
  } = (await request(contract.checkEmailConfirmation, { body })).data;
  return { email, name, expiresAt };
}

/** Confirms a new address. @throws ApiError */
export async function confirmEmail(token: string): Promise<{ email: string }> {
  return (await request(contract.confirmEmail, { body: { confirm_token: token } })).data;
}

/** A change of an email address that a link undoes. */
export type RevocableChange = {
  /** The address that stays or comes back. */
  email: string;
  newEmail: string;
  /** Whether the new address was confirmed. */
  isChanged: boolean;
  expiresAt: string;
};

/** Which change a link undoes, and until when. @throws ApiError if it is no longer valid */
export async function checkEmailRevocation(token: string): Promise<RevocableChange> {
  const body = { revoke_token: token };
  const { data } = await request(contract.checkEmailRevocation, { body });
  return {
    email: data.email,
    newEmail: data.new_email,
    isChanged: data.is_changed,
    expiresAt: data.expires_at,
  };
}

/** Undoes a change; returns a token to choose a new password. @throws ApiError */
export async function revokeEmailChange(
  token: string,
): Promise<{ email: string; resetToken: string }> {
  const body = { revoke_token: token };
  const { data } = await request(contract.revokeEmailChange, { body });
  return { email: data.email, resetToken: data.reset_token };
}
