'use server';

import * as api from '../../api/people/session.ts';
import type {
  ChangePasswordInput,
  ConfirmIdentityInput,
  FinishSignInInput,
  SetUpInput,
  SignInInput,
} from '../../api/people/session.ts';
import { startPasskeySignIn as startPasskeySignInOnApi } from '../../api/people/second-factors.ts';
import type { PasskeyOptions } from '../../api/people/second-factors.ts';
import type { PendingSignIn } from '../../contract/people/second-factors.ts';
import { readDeviceToken } from '../../cookies/device-cookie.ts';
import {
  clearPendingCookie,
  readPendingToken,
  setPendingCookie,
} from '../../cookies/pending-sign-in-cookie.ts';
import { setSessionCookie } from '../../cookies/session-cookie.ts';
import { setCookies } from '../../cookies/set-cookies.ts';
import { requiredLinkToken, withLinkToken } from '../../session/link-token.ts';
import { actionArguments } from '../action-arguments.ts';
import type { ActionResult } from '../action-result.ts';
import { runServerAction, runPublicServerAction } from '../run-server-action.ts';

/** How the second factor can be given, and under which host name passkeys work. */
export type NeededFactor = Pick<PendingSignIn, 'kinds'> & {
  passkeyHost: PendingSignIn['passkey_host'];
};

/**
 * Signs in and sets the cookies of the session and the device. If a second factor is needed, it
 * sets the cookie of the pending sign-in instead, and returns how the factor can be given.
 * VALIDATION_ERROR: wrong email or password.
 */
export async function signIn(
  input: SignInInput,
): Promise<ActionResult<{ secondFactor: NeededFactor | null }>> {
  return await runPublicServerAction(actionArguments.signIn, [input], async ([valid]) => {
    const outcome = await api.signIn(valid, await readDeviceToken());
    if (outcome.kind === 'signed_in') {
      await setCookies(outcome.session);
      return { secondFactor: null };
    }
    const { pending_token: token, kinds, passkey_host: passkeyHost } = outcome.pending;
    await setPendingCookie(token);
    return { secondFactor: { kinds, passkeyHost } };
  });
}

/**
 * Signs in with a second factor after `signIn`. VALIDATION_ERROR: the factor is wrong; with
 * `details.pending_token`, the sign-in has ended and must begin again.
 */
export async function finishSignIn(given: FinishSignInInput): Promise<ActionResult> {
  return await runPublicServerAction(actionArguments.finishSignIn, [given], async ([valid]) => {
    const pendingToken = (await readPendingToken()) ?? '';
    const deviceToken = await readDeviceToken();
    await setCookies(await api.finishSignIn(valid, { pendingToken, deviceToken }));
    await clearPendingCookie();
    return {};
  });
}

/** Options to sign in with a passkey, for `navigator.credentials.get`. */
export async function startPasskeySignIn(): Promise<ActionResult<{ options: PasskeyOptions }>> {
  return await runPublicServerAction(actionArguments.startPasskeySignIn, [], async () => ({
    options: await startPasskeySignInOnApi((await readPendingToken()) ?? ''),
  }));
}

/**
 * Proves again who the person is, which allows sensitive actions for a while. Sets the renewed
 * session's cookie.
 */
export async function confirmIdentity(input: ConfirmIdentityInput): Promise<ActionResult> {
  return await runServerAction(actionArguments.confirmIdentity, [input], async ([valid]) => {
    const { token, maxAge } = await api.confirmIdentity(valid);
    await setSessionCookie(token, maxAge);
    return {};
  });
}

/** Chooses the account with which the dashboard opens. */
export async function chooseAccount(account: string): Promise<ActionResult> {
  return await runServerAction(actionArguments.chooseAccount, [account], async (valid) => {
    await api.chooseAccount(...valid);
    return {};
  });
}

/** Ends another session of the person. */
export async function endSession(session: string): Promise<ActionResult> {
  return await runServerAction(actionArguments.endSession, [session], async (valid) => {
    await api.endSession(...valid);
    return {};
  });
}

/** Ends all other sessions of the person. */
export async function endOtherSessions(): Promise<ActionResult<{ ended: number }>> {
  return await runServerAction(actionArguments.endOtherSessions, [], api.endOtherSessions);
}

/** Changes the password, which ends all other sessions of the person. */
export async function changePassword(
  input: ChangePasswordInput,
): Promise<ActionResult<{ endedSessions: number }>> {
  return await runServerAction(actionArguments.changePassword, [input], async ([valid]) => {
    const { endedSessions, ...session } = await api.changePassword(valid);
    // The old device cookie is no longer valid.
    await setCookies(session);
    return { endedSessions };
  });
}

/** Until when the set-up link that was opened in this browser is valid. */
export async function checkSetUpToken(): Promise<ActionResult<{ validUntil: string }>> {
  return await runPublicServerAction(actionArguments.checkSetUpToken, [], async () =>
    api.checkSetUpToken(await requiredLinkToken('set_up')),
  );
}

/** Creates the first account and its owner, and signs them in. */
export async function setUp(input: Omit<SetUpInput, 'set_up_token'>): Promise<ActionResult> {
  return await runPublicServerAction(actionArguments.setUp, [input], async ([valid]) => {
    const session = await withLinkToken('set_up', (token) =>
      api.setUp({ ...valid, set_up_token: token }),
    );
    await setCookies(session);
    return {};
  });
}
