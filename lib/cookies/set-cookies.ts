import 'server-only';
import type { z } from 'zod';
import type { newSession } from '../contract/people/new-session.ts';
import { setDeviceCookie } from './device-cookie.ts';
import { setSessionCookie } from './session-cookie.ts';

export async function setCookies(session: z.output<typeof newSession>['data']): Promise<void> {
  await setSessionCookie(session.session_token, session.max_age);
  await setDeviceCookie(session.device_token, session.device_max_age);
}
