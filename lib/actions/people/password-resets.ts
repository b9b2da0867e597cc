'use server';

import * as api from '../../api/people/password-resets.ts';
import type { FinishPasswordResetInput } from '../../api/people/password-resets.ts';
import { requiredLinkToken, withLinkToken } from '../../session/link-token.ts';
import { actionArguments } from '../action-arguments.ts';
import type { ActionResult } from '../action-result.ts';
import { runPublicServerAction } from '../run-server-action.ts';

/** Requests a link to choose a new password. The result is the same whether the person exists. */
export async function requestPasswordReset(
  email: string,
): Promise<ActionResult<{ isMailed: boolean }>> {
  return await runPublicServerAction(actionArguments.requestPasswordReset, [email], ([valid]) =>
    api.requestPasswordReset(valid),
  );
}

/** Whose password the link resets that was opened in this browser, and until when. */
export async function checkPasswordReset(): Promise<
  ActionResult<{ email: string; expiresAt: string }>
> {
  return await runPublicServerAction(actionArguments.checkPasswordReset, [], async () =>
    api.checkPasswordReset(await requiredLinkToken('password_reset')),
  );
}

/** Chooses a new password with a link. Ends all sessions of the person and starts none. */
export async function finishPasswordReset(
  input: Omit<FinishPasswordResetInput, 'reset_token'>,
): Promise<ActionResult<{ email: string }>> {
  return await runPublicServerAction(actionArguments.finishPasswordReset, [input], ([valid]) =>
    withLinkToken('password_reset', (token) =>
      api.finishPasswordReset({ ...valid, reset_token: token }),
    ),
  );
}
