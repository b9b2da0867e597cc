import 'server-only';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { cache } from 'react';
import { ApiError } from '#lib/api/api-error.ts';
import { call } from '#lib/api/call.ts';
import { routes } from '#lib/contract/routes.ts';
import type { SupportDesk } from '#lib/contract/support-desk/support-desk.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { attentionQuery, deskRequestsQuery } from '#lib/queries/requests.ts';
import { prefetch } from '#lib/queries/prefetch.ts';
import { supportDeskPath } from '#lib/paths/account-path.ts';
import { pagePath } from '#lib/paths/page-path.ts';
import { signInPath } from '#lib/paths/sign-in-path.ts';

/**
 * The support desk of the signed-in person, read once per request. Redirects a person who can open
 * at most one account to that account, and a person who is not signed in to the sign-in page, which
 * leads back here.
 * @throws ApiError when the service can't say
 */
export const requireDesk: () => Promise<SupportDesk> = cache(async () => {
  const desk = await findDesk();
  if (desk === null) redirect(signInPath(pagePath(await headers())));
  if (desk.account_count < 2 && !desk.is_installation_support) redirect('/');
  return desk;
});

/** Prefetches what the first page of the desk shows that person. */
export async function prefetchDesk(): Promise<string> {
  const { person } = await requireDesk();
  return await prefetch(attentionQuery(person.id), deskRequestsQuery(person.id, null));
}

/** Prefetches the newest requests of that person, in every state. */
export async function prefetchRequests(): Promise<string> {
  const { person } = await requireDesk();
  return await prefetch(deskRequestsQuery(person.id, null));
}

/** Prefetches the status of the installation; redirects everyone but installation support. */
export async function prefetchStatus(): Promise<string> {
  const desk = await requireDesk();
  if (!desk.is_installation_support) redirect(supportDeskPath);
  return await prefetch(routeQuery(desk, 'getInstallationStatus'));
}

async function findDesk(): Promise<SupportDesk | null> {
  try {
    return (await call(routes.getSupportDesk, {})).data;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'UNAUTHORIZED') return null;
    throw error;
  }
}
