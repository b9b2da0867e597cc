import 'server-only';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { routes } from '../contract/routes.ts';
import { clearSessionCookie } from '../cookies/session-cookie.ts';

/**
 * Ends the session and deletes its cookie, even if the session has ended already or the service
 * can't be reached. If the service refuses, the session and its cookie stay.
 *
 * @throws ApiError
 */
export async function signOut(): Promise<void> {
  try {
    // Also on a page of an account that the person has just left.
    await call(routes.signOut, {}, { account: null });
  } catch (error) {
    if (!(error instanceof ApiError && (hasEnded(error) || isAway(error)))) throw error;
  }
  await clearSessionCookie();
}

function hasEnded({ code }: ApiError): boolean {
  return code === 'UNAUTHORIZED';
}

/** Whether there was no response, or one of something else: ours have a request id. */
function isAway({ code, requestId }: ApiError): boolean {
  return code === 'UNAVAILABLE' && requestId === undefined;
}
