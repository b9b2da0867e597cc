'use server';

import * as api from '../../api/people/password-resets.ts';
import type { FinishPasswordResetInput } from '../../api/people/password-resets.ts';
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

/** Whose password a link resets, and until when. */
export async function checkPasswordReset(
  token: string,
): Promise<ActionResult<{ email: string; expiresAt: string }>> {
  return await runPublicServerAction(actionArguments.checkPasswordReset, [token], ([valid]) =>
    api.checkPasswordReset(valid),
  );
}

/** Chooses a new password with a link. Ends all sessions of the person and starts none. */
export async function finishPasswordReset(
  input: FinishPasswordResetInput,
): Promise<ActionResult<{ email: string }>> {
  return await runPublicServerAction(actionArguments.finishPasswordReset, [input], ([valid]) =>
    api.finishPasswordReset(valid),
  );
}
