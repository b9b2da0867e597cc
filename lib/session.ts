import 'server-only';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { cache } from 'react';
import { ApiError } from './api/api-error.ts';
import { getSession } from './api/session.ts';
import type { Session } from './contract/dashboard.ts';
import { signInPath } from './sign-in-path.ts';

/**
 * Who is signed in, for layouts and pages; asked once per request however many ask.
 * Nobody: leads to the door, which leads back here.
 * @throws ApiError when the service can't say
 */
export async function requireSession(): Promise<Session> {
  const session = await findSession();
  if (session) return session;
  redirect(signInPath((await headers()).get('x-page-path') ?? ''));
}

/** The same without leading anywhere: null when nobody is signed in. @throws ApiError */
export const findSession: () => Promise<Session | null> = cache(async () => {
  try {
    return await getSession();
  } catch (error) {
    if (error instanceof ApiError && error.code === 'UNAUTHORIZED') return null;
    throw error;
  }
});
