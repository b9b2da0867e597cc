import { redirect } from 'next/navigation';
import { NotSetUp } from '#components/auth/set-up/not-set-up.tsx';
import { SignIn } from '#components/auth/sign-in/sign-in.tsx';
import { AuthLayout } from '#components/shell/frame/auth-layout.tsx';
import { isSignedInFor } from '#lib/session/session.ts';
import type { SearchParams } from '#lib/paths/search-params.ts';
import { safeNext } from '#lib/paths/sign-in-path.ts';
import { readEmailParam } from '../read-email-param.ts';
import { isSetUpOpen } from '../is-set-up-open.ts';
import { serverInfo } from '../server-info.ts';
import { fallbackIfUnavailable } from '../fallback-if-unavailable.ts';
import { isActionResponse } from '../is-action-response.ts';

type SignInPageProps = { searchParams: Promise<SearchParams> };

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const params = await searchParams;
  const { next } = params;
  const destination = safeNext(typeof next === 'string' ? next : undefined);
  const [isSignedIn, isOpen] = await Promise.all([
    fallbackIfUnavailable(isSignedInFor(destination), false),
    fallbackIfUnavailable(isSetUpOpen(), false),
  ]);
  if (isSignedIn && !(await isActionResponse())) redirect(destination);
  const server = serverInfo();
  if (isOpen) return <NotSetUp {...server} />;
  return (
    <AuthLayout
      {...server}
      title="Sign in"
      sentence="Manage the API keys and webhooks of your account."
    >
      <SignIn next={destination} email={readEmailParam(params)} />
    </AuthLayout>
  );
}
