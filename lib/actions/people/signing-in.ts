'use server';

import { apiError } from '../../api/api-error.ts';
import type { LinkKind } from '../../contract/people/links.ts';
import { maxSessionTokenLength } from '../../contract/people/new-session.ts';
import { passwordResetMinutes } from '../../contract/people/password-resets.ts';
import { routes } from '../../contract/routes.ts';
import { readDeviceToken } from '../../cookies/device-cookie.ts';
import { clearLinkCookie, readLinkToken, setLinkCookie } from '../../cookies/link-cookie.ts';
import {
  clearPendingCookie,
  readPendingToken,
  setPendingCookie,
} from '../../cookies/pending-sign-in-cookie.ts';
import { readSessionToken } from '../../cookies/session-cookie.ts';
import { setCookies } from '../../cookies/set-cookies.ts';
import { action } from '../action.ts';

// The pages for people who are not signed in. Tokens of sessions, devices, links and pending
// sign-ins are in cookies that no script can read: the actions add them to the body, and store
// those of the response.

/**
 * If a second factor is needed, the browser gets how it can be given, and otherwise null.
 * VALIDATION_ERROR: wrong email or password.
 */
export const signIn = action(routes.signIn, {
  add: async () => ({ ...(await knownDevice()), ...(await earlierSession()) }),
  async respond({ data }) {
    if ('pending_token' in data) {
      const { pending_token: token, kinds, passkey_host } = data;
      await setPendingCookie(token);
      return { data: { kinds, passkey_host } };
    }
    await setCookies(data);
    return { data: null };
  },
});

export const startPasskeySignIn = action(routes.startPasskeySignIn, { add: pendingSignIn });

/**
 * VALIDATION_ERROR: the factor is wrong; with `details.pending_token`, the sign-in has ended and
 * must begin again.
 */
export const finishSignIn = action(routes.finishSignIn, {
  add: async () => ({
    ...(await pendingSignIn()),
    ...(await knownDevice()),
    ...(await earlierSession()),
  }),
  async respond({ data }) {
    await setCookies(data);
    await clearPendingCookie();
    return {};
  },
});

/**
 * Binds a link to this browser: exchanges its token for a cookie, with which the other actions of
 * the link's page work. A link that was opened in this browser before can be opened again.
 */
export const openLink = action(routes.openLink, {
  async skip({ body: { kind, token } }) {
    return (await readLinkToken(kind, token)) === null ? null : {};
  },
  async respond({ data }, { body: { kind, token: opened } }) {
    await setLinkCookie(kind, { opened, token: data.token }, data.max_age);
    return {};
  },
});

export const checkSetUpToken = action(routes.checkSetUpToken, {
  add: linkToken('set_up', 'set_up_token'),
});
export const setUp = action(routes.setUp, {
  add: linkToken('set_up', 'set_up_token'),
  async respond({ data }) {
    await clearLinkCookie('set_up');
    await setCookies(data);
    return {};
  },
});

export const checkInvitation = action(routes.checkInvitation, {
  add: linkToken('invitation', 'invitation_token'),
});
export const acceptInvitation = action(routes.acceptInvitation, {
  add: async () => ({
    ...(await linkToken('invitation', 'invitation_token')()),
    ...(await earlierSession()),
  }),
  async respond({ data }) {
    await clearLinkCookie('invitation');
    await setCookies(data);
    return {};
  },
});
/** For a person who may belong to no account yet. */
export const joinAccount = action(routes.joinAccount, {
  account: null,
  add: linkToken('invitation', 'invitation_token'),
  async respond() {
    await clearLinkCookie('invitation');
    return {};
  },
});

export const requestPasswordReset = action(routes.requestPasswordReset);
export const checkPasswordReset = action(routes.checkPasswordReset, {
  add: linkToken('password_reset', 'reset_token'),
});
export const finishPasswordReset = action(routes.finishPasswordReset, {
  add: linkToken('password_reset', 'reset_token'),
  async respond(response) {
    await clearLinkCookie('password_reset');
    return response;
  },
});

export const confirmWebhookContact = action(routes.confirmWebhookContact);

export const checkEmailConfirmation = action(routes.checkEmailConfirmation, {
  add: linkToken('email_confirmation', 'confirm_token'),
});
export const confirmEmail = action(routes.confirmEmail, {
  add: linkToken('email_confirmation', 'confirm_token'),
  async respond(response) {
    await clearLinkCookie('email_confirmation');
    return response;
  },
});

export const checkEmailRevocation = action(routes.checkEmailRevocation, {
  add: linkToken('email_revocation', 'revoke_token'),
});
/** The browser then chooses a new password as with a link that was opened in it. */
export const revokeEmailChange = action(routes.revokeEmailChange, {
  add: linkToken('email_revocation', 'revoke_token'),
  async respond({ data: { email, reset_token: token } }) {
    await clearLinkCookie('email_revocation');
    await setLinkCookie('password_reset', { opened: token, token }, passwordResetMinutes * 60);
    return { data: { email } };
  },
});

async function pendingSignIn() {
  return { pending_token: (await readPendingToken()) ?? '' };
}

async function knownDevice() {
  return { device_token: (await readDeviceToken()) ?? undefined };
}

/** Calls that sign someone in name the session that this browser has, so that it ends. */
async function earlierSession() {
  const token = await readSessionToken();
  const isPossible = token !== null && token.length <= maxSessionTokenLength;
  return { earlier_session: isPossible ? token : undefined };
}

/** Adds the token of the link opened here. VALIDATION_ERROR without details if none was. */
function linkToken<Field extends string>(kind: LinkKind, field: Field) {
  return async () => {
    const token = await readLinkToken(kind);
    if (token === null) throw apiError('VALIDATION_ERROR', { message: 'Open the link again.' });
    return { [field]: token } as Record<Field, string>;
  };
}
