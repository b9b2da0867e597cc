'use server';

import type { z } from 'zod';
import { ApiError } from '../api/api-error.ts';
import * as api from '../api/session.ts';
import type { ChangePasswordInput, NewSession, SetUpInput, SignInInput } from '../api/session.ts';
import type { confirmPasswordInput } from '../contract/dashboard.ts';
import { readDeviceToken, setDeviceCookie } from '../device-cookie.ts';
import { clearSessionCookie, setSessionCookie } from '../session-cookie.ts';
import { actionArguments } from './action-arguments.ts';
import type { ActionResult } from './action-result.ts';
import { attempt, attemptForAnybody } from './attempt.ts';

/**
 * Sets the cookies of session and device; where to go next is the page's affair.
 * VALIDATION_ERROR: wrong address or password.
 */
export async function signIn(input: SignInInput): Promise<ActionResult> {
  return await attemptForAnybody(actionArguments.signIn, [input], async ([valid]) => {
    await setCookies(await api.signIn(valid, await readDeviceToken()));
    return {};
  });
}

/** Gives the password again, so that sensitive acts are allowed for a while. Sets the renewed session's cookie. */
export async function confirmPassword(
  input: z.input<typeof confirmPasswordInput>,
): Promise<ActionResult> {
  return await attempt(actionArguments.confirmPassword, [input], async ([valid]) => {
    const { token, maxAge } = await api.confirmPassword(valid.password);
    await setSessionCookie(token, maxAge);
    return {};
  });
}

/** Makes another of the person's accounts the one that the dashboard opens with. */
export async function chooseAccount(account: string): Promise<ActionResult> {
  return await attempt(actionArguments.chooseAccount, [account], async (valid) => {
    await api.chooseAccount(...valid);
    return {};
  });
}

/** Signs one other session of the person's own out. */
export async function endSession(session: string): Promise<ActionResult> {
  return await attempt(actionArguments.endSession, [session], async (valid) => {
    await api.endSession(...valid);
    return {};
  });
}

/** Signs the person out everywhere but here. */
export async function endOtherSessions(): Promise<ActionResult<{ ended: number }>> {
  return await attempt(actionArguments.endOtherSessions, [], api.endOtherSessions);
}

/** Changes the password, which signs the person out everywhere but here. */
export async function changePassword(
  input: ChangePasswordInput,
): Promise<ActionResult<{ endedSessions: number }>> {
  return await attempt(actionArguments.changePassword, [input], async ([valid]) => {
    const { endedSessions, ...session } = await api.changePassword(valid);
    // The old device cookie went with the old password.
    await setCookies(session);
    return { endedSessions };
  });
}

/** Ends the session; where to go next is the page's affair. */
export async function signOut(): Promise<void> {
  await attemptForAnybody(actionArguments.signOut, [], async () => {
    try {
      await api.signOut();
    } catch (error) {
      // Over already, or out of reach: the browser forgets it all the same.
      if (!(error instanceof ApiError)) throw error;
    }
    await clearSessionCookie();
    return {};
  });
}

/** Until when a set-up link is good. */
export async function checkSetUpToken(
  token: string,
): Promise<ActionResult<{ validUntil: string }>> {
  return await attemptForAnybody(actionArguments.checkSetUpToken, [token], ([valid]) =>
    api.checkSetUpToken(valid),
  );
}

/** Makes the first account and its owner, and signs them in. */
export async function setUp(input: SetUpInput): Promise<ActionResult> {
  return await attemptForAnybody(actionArguments.setUp, [input], async ([valid]) => {
    await setCookies(await api.setUp(valid));
    return {};
  });
}

async function setCookies(session: NewSession): Promise<void> {
  await setSessionCookie(session.token, session.maxAge);
  await setDeviceCookie(session.deviceToken, session.deviceMaxAge);
}
