'use server';

import { z } from 'zod';
import { ApiError } from '../api/api-error.ts';
import * as api from '../api/session.ts';
import type { SetUpInput, SignInInput } from '../api/session.ts';
import { setUpInput, signInInput } from '../contract/dashboard.ts';
import { clearSessionCookie, setSessionCookie } from '../session-cookie.ts';
import type { ActionResult } from './action-result.ts';
import { attempt } from './attempt.ts';

/** Sets the session cookie; where to go next is the page's affair. UNAUTHORIZED: wrong address or password. */
export async function signIn(input: SignInInput): Promise<ActionResult> {
  return await attempt(signInInput, input, async (valid) => {
    const session = await api.signIn(valid);
    await setSessionCookie(session.token, session.maxAge);
    return {};
  });
}

/** Ends the session; where to go next is the page's affair. */
export async function signOut(): Promise<void> {
  await attempt(z.undefined(), undefined, async () => {
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
  return await attempt(z.string().max(200), token, api.checkSetUpToken);
}

/** Makes the first account and its owner, and signs them in. */
export async function setUp(input: SetUpInput): Promise<ActionResult> {
  return await attempt(setUpInput, input, async (valid) => {
    const session = await api.setUp(valid);
    await setSessionCookie(session.token, session.maxAge);
    return {};
  });
}
