import { redirect } from 'next/navigation';

import { NotSetUp } from '#components/auth/set-up/not-set-up.tsx';
import { SignIn } from '#components/auth/sign-in/sign-in.tsx';
import { AuthLayout } from '#components/shell/frame/auth-layout.tsx';
import { isSetUpOpen } from '#lib/api/people/session.ts';
import { findSession } from '#lib/session/session.ts';
import { safeNext } from '#lib/paths/sign-in-path.ts';

import { readGivenEmail } from '../given-email.ts';
import type { SearchParams } from '../given-email.ts';
import { serverInfo } from '../server-info.ts';
import { fallbackIfUnavailable } from '../fallback-if-unavailable.ts';
import { isActionResponse } from '../is-action-response.ts';

export default async function SignInPage({ searchParams }: SearchParams) {
  const { next } = await searchParams;
  const destination = safeNext(typeof next === 'string' ? next : undefined);
  const [session, isOpen] = await Promise.all([
    fallbackIfUnavailable(findSession(), null),
    fallbackIfUnavailable(isSetUpOpen(), false),
  ]);
  if (session && !(await isActionResponse())) redirect(destination);
  const server = serverInfo();
  if (isOpen) return <NotSetUp {...server} />;
  return (
    <AuthLayout
      {...server}
      title="Sign in"
      sentence="To the API keys and webhooks of your account."
    >
      <SignIn next={destination} email={await readGivenEmail(searchParams)} />
    </AuthLayout>
  );
}
