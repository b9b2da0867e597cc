import 'server-only';
import { headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { cache } from 'react';
import { accountOf, accountPath, accountsPath, firstPage } from '../paths/account-path.ts';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { errorTable } from '../contract/error-codes.ts';
import type { Session } from '../contract/people/sessions.ts';
import type { FoundAccount } from '../contract/people/found-account.ts';
import { routes } from '../contract/routes.ts';
import { pagePath } from '../paths/page-path.ts';
import { signInPath } from '../paths/sign-in-path.ts';

/**
 * The session of the signed-in person, in the account that the URL names, for layouts and pages. It
 * is read once per request, however often it is called. Redirects to the sign-in page, which leads
 * back here, if nobody is signed in. An account that the person does not belong to is not found, as
 * if it did not exist. In an account that is being deleted, there are only the page to restore it
 * and the person's own pages.
 * @throws ApiError when the service can't say
 */
export async function requireSession(): Promise<Session> {
  try {
    const session = await findSession();
    if (session) return await redirectIfAccountDeleted(session);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') notFound();
    throw error;
  }
  redirect(signInPath(pagePath(await headers())));
}

async function redirectIfAccountDeleted(session: Session): Promise<Session> {
  const { id, erased_at: erasedAt } = session.account;
  if (erasedAt === null) return session;
  const path = pagePath(await headers()).split('?')[0];
  const isOpen = pagesOfDeletedAccount.some((page) => path === accountPath(id, page));
  if (!isOpen) redirect(accountPath(id, accountPage));
  return session;
}

const accountPage = 'settings/account';
const pagesOfDeletedAccount = [accountPage, 'settings/profile', 'settings/security'];

/** The same without redirects: null when nobody is signed in. @throws ApiError */
export const findSession: () => Promise<Session | null> = cache(async () => {
  try {
    return (await call(routes.getSession, {})).data;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'UNAUTHORIZED') return null;
    throw error;
  }
});

/** Why the account that the URL names can't be opened; null unless the service says that. */
export async function findWhyClosed(): Promise<string | null> {
  try {
    await findSession();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'NOT_FOUND') throw error;
    if (error.message !== errorTable.NOT_FOUND.message) return error.message;
  }
  return null;
}

/**
 * Whether the session opens the account that a path names, or any account if it names none. One
 * that is too old for an account does not.
 * @throws ApiError when the service can't say
 */
export async function isSignedInFor(path: string): Promise<boolean> {
  try {
    await call(routes.getSession, {}, { account: accountOf(path) });
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 'UNAUTHORIZED') return false;
    // An account that they cannot open, whose page says so.
    if (error.code === 'NOT_FOUND') return true;
    throw error;
  }
}

/** The accounts that installation support finds; null for anyone else. @throws ApiError */
export async function findAccounts(search: string): Promise<FoundAccount[] | null> {
  try {
    return (await call(routes.searchAccounts, { query: { search } })).data;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 401 || error.status === 403)) return null;
    throw error;
  }
}

/**
 * Redirects from a URL that names no account to the same page, with its query, of the session's
 * account. If the session has no account, redirects installation support to the page where they
 * choose one.
 * @throws ApiError when the service can't say who is signed in
 */
export async function redirectToAccount(): Promise<never> {
  if (!(await findSession()) && (await findAccounts(''))) redirect(accountsPath);
  const { account } = await requireSession();
  const page = pagePath(await headers()).slice(1);
  redirect(accountPath(account.id, page.startsWith('settings') ? page : firstPage + page));
}
