'use server';

import * as api from '../../api/people/profile.ts';
import type { RevocableChange } from '../../api/people/profile.ts';
import type { MailPreferences } from '../../contract/people/mail-preferences.ts';
import { passwordResetMinutes } from '../../contract/people/password-resets.ts';
import { setLinkCookie } from '../../cookies/link-cookie.ts';
import { requiredLinkToken, withLinkToken } from '../../session/link-token.ts';
import { actionArguments } from '../action-arguments.ts';
import type { ActionResult } from '../action-result.ts';
import { runServerAction, runPublicServerAction } from '../run-server-action.ts';

/** Changes the person's own name. Open pages show it after they are loaded again. */
export async function renamePerson(name: string): Promise<ActionResult> {
  return await runServerAction(actionArguments.renamePerson, [name], async ([valid]) => {
    await api.renamePerson(valid);
    return {};
  });
}

/** Turns emails on or off for the person. */
export async function updateMailPreferences(
  change: Partial<MailPreferences>,
): Promise<ActionResult<{ preferences: MailPreferences }>> {
  return await runServerAction(
    actionArguments.updateMailPreferences,
    [change],
    async ([valid]) => ({
      preferences: await api.updateMailPreferences(valid),
    }),
  );
}

/**
 * Requests a change of the person's email address. The result is the same whether the address
 * belongs to somebody else.
 */
export async function requestEmailChange(
  email: string,
): Promise<ActionResult<{ email: string; isMailed: boolean }>> {
  return await runServerAction(actionArguments.requestEmailChange, [email], async ([valid]) => {
    const { pending } = await api.requestEmailChange(valid);
    return { email: valid, isMailed: pending?.is_mailed ?? false };
  });
}

/** Cancels a change of the person's email address that waits to be confirmed. */
export async function cancelEmailChange(): Promise<ActionResult> {
  return await runServerAction(actionArguments.cancelEmailChange, [], async () => {
    await api.cancelEmailChange();
    return {};
  });
}

/** Whose new address the link confirms that was opened in this browser, and until when. */
export async function checkEmailConfirmation(): Promise<
  ActionResult<{ email: string; name: string; expiresAt: string }>
> {
  return await runPublicServerAction(actionArguments.checkEmailConfirmation, [], async () =>
    api.checkEmailConfirmation(await requiredLinkToken('email_confirmation')),
  );
}

/** Confirms the new address, which changes the person's email. */
export async function confirmEmail(): Promise<ActionResult<{ email: string }>> {
  return await runPublicServerAction(actionArguments.confirmEmail, [], () =>
    withLinkToken('email_confirmation', api.confirmEmail),
  );
}

/** Which change of an email address the link undoes that was opened in this browser. */
export async function checkEmailRevocation(): Promise<ActionResult<RevocableChange>> {
  return await runPublicServerAction(actionArguments.checkEmailRevocation, [], async () =>
    api.checkEmailRevocation(await requiredLinkToken('email_revocation')),
  );
}

/**
 * Undoes the change of an email address. The browser then chooses a new password as with a link that
 * was opened in it.
 */
export async function revokeEmailChange(): Promise<ActionResult<{ email: string }>> {
  return await runPublicServerAction(actionArguments.revokeEmailChange, [], async () => {
    const { email, resetToken } = await withLinkToken('email_revocation', api.revokeEmailChange);
    const link = { opened: resetToken, token: resetToken };
    await setLinkCookie('password_reset', link, passwordResetMinutes * 60);
    return { email };
  });
}
