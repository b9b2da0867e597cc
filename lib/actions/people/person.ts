'use server';

import { routes } from '../../contract/routes.ts';
import { setSessionCookie } from '../../cookies/session-cookie.ts';
import { setCookies } from '../../cookies/set-cookies.ts';
import { action } from '../action.ts';

export const renamePerson = action(routes.renamePerson);
export const updateMailPreferences = action(routes.updateMailPreferences);
export const requestEmailChange = action(routes.requestEmailChange);
export const cancelEmailChange = action(routes.cancelEmailChange);

export const chooseAccount = action(routes.chooseAccount);
export const endSession = action(routes.endSession);
export const endOtherSessions = action(routes.endOtherSessions);

export const startApp = action(routes.startApp);
export const confirmApp = action(routes.confirmApp);
export const removeApp = action(routes.removeApp);
export const startPasskey = action(routes.startPasskey);
export const addPasskey = action(routes.addPasskey);
export const renamePasskey = action(routes.renamePasskey);
export const removePasskey = action(routes.removePasskey);
export const createRecoveryCodes = action(routes.createRecoveryCodes);

export const startPasskeyProof = action(routes.startPasskeyProof);
export const confirmIdentity = action(routes.confirmIdentity, {
  async respond({ data }) {
    await setSessionCookie(data.session_token, data.max_age);
    return {};
  },
});

export const changePassword = action(routes.changePassword, {
  async respond({ data: { ended_sessions, ...session } }) {
    // The old device cookie is no longer valid.
    await setCookies(session);
    return { data: { ended_sessions } };
  },
});
