import type { SessionCookie } from '../../../auth/auth.ts';
import type { DeviceToken } from '../../../auth/device-tokens.ts';
import type { NewSession } from '../../../domain/people/sessions/open-session.ts';

/** The response to a person who just signed in: what their browser must keep. */
export function respondWithNewSession(session: NewSession) {
  const data = { ...sessionFields(session), ...deviceFields(session) };
  return { status: 201, body: { success: true, data } } as const;
}

export function sessionFields({ sessionToken, maxAgeSeconds }: SessionCookie) {
  return { session_token: sessionToken, max_age: maxAgeSeconds };
}

export function deviceFields({ deviceToken, deviceMaxAgeSeconds }: DeviceToken) {
  return { device_token: deviceToken, device_max_age: deviceMaxAgeSeconds };
}
