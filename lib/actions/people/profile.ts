'use server';

import * as api from '../../api/people/profile.ts';
import type { RevocableChange } from '../../api/people/profile.ts';
import type { MailPreferences } from '../../contract/people/mail-preferences.ts';
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

/** Whose new address a link confirms, and until when. */
export async function checkEmailConfirmation(
  token: string,
): Promise<ActionResult<{ email: string; name: string; expiresAt: string }>> {
  return await runPublicServerAction(actionArguments.checkEmailConfirmation, [token], ([valid]) =>
    api.checkEmailConfirmation(valid),
  );
}

/** Confirms a new address with a link, which changes the person's email. */
export async function confirmEmail(token: string): Promise<ActionResult<{ email: string }>> {
  return await runPublicServerAction(actionArguments.confirmEmail, [token], ([valid]) =>
    api.confirmEmail(valid),
  );
}

/** Which change of an email address a link undoes, and until when. */
export async function checkEmailRevocation(token: string): Promise<ActionResult<RevocableChange>> {
  return await runPublicServerAction(actionArguments.checkEmailRevocation, [token], ([valid]) =>
    api.checkEmailRevocation(valid),
  );
}

/** Undoes a change of an email address with a link; returns a token to choose a new password. */
export async function revokeEmailChange(
  token: string,
): Promise<ActionResult<{ email: string; resetToken: string }>> {
  return await runPublicServerAction(actionArguments.revokeEmailChange, [token], ([valid]) =>
    api.revokeEmailChange(valid),
  );
}
