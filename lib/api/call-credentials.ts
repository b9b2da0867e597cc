import 'server-only';
import { headers } from 'next/headers';
import type { RouteDefinition } from '../contract/route.ts';
import { readSessionToken } from '../cookies/session-cookie.ts';
import { accountOf } from '../paths/account-path.ts';
import { pagePath } from '../paths/page-path.ts';
import { apiError } from './api-error.ts';

/** The headers that say who calls: the dashboard, and a person's session, account and address. */
export async function credentialsOf(
  route: RouteDefinition,
  options: { account?: string | null },
): Promise<Record<string, string>> {
  const credential = process.env['DASHBOARD_CREDENTIAL'];
  if (!credential) throw new Error('DASHBOARD_CREDENTIAL is not set.');
  const incoming = await headers();
  const sent: Record<string, string> = {
    Authorization: `Bearer ${credential}`,
    // Set by our own listener; without it (`next dev` alone) the service sees an unknown address.
    'X-Dashboard-Client': [
      incoming.get('x-client-address') ?? '0.0.0.0',
      incoming.get('user-agent') ?? '',
    ]
      .join(' ')
      .trim(),
  };
  if (route.access === 'dashboard') return sent;
  const session = await requireSessionToken();
  const { account = accountOf(pagePath(incoming)) } = options;
  return {
    ...sent,
    'X-Dashboard-Session': session,
    // A value that is too long is no valid account, and is still none after it is cut.
    ...(account !== null && { 'X-Dashboard-Account': account.slice(0, maxAccountLength) }),
  };
}

/** The token of the session cookie. @throws ApiError UNAUTHORIZED without one */
export async function requireSessionToken(): Promise<string> {
  const session = await readSessionToken();
  if (session === null) throw apiError('UNAUTHORIZED', { message: 'Your session has ended.' });
  return session;
}

/** Longer than a UUID, so that cutting a value never produces a valid UUID. */
const maxAccountLength = 64;
