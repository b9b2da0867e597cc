import type { Metadata } from 'next';
import { redirect } from 'next/navigation';

import { NotSetUp } from '#components/auth/not-set-up.tsx';
import { SignIn } from '#components/auth/sign-in.tsx';
import { Door } from '#components/shell/door.tsx';
import { isSetUpOpen } from '#lib/api/session.ts';
import { findSession } from '#lib/session.ts';
import { safeNext } from '#lib/sign-in-path.ts';

import { aboutServer } from '../about-server.ts';
import { orWithout } from '../or-without.ts';

export const metadata: Metadata = { title: 'Sign in' };

type SignInPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const { next } = await searchParams;
  const way = safeNext(typeof next === 'string' ? next : undefined);
  const [session, isOpen] = await Promise.all([
    orWithout(findSession(), null),
    orWithout(isSetUpOpen(), false),
  ]);
  if (session) redirect(way);
  const about = aboutServer();
  if (isOpen) return <NotSetUp {...about} />;
  return (
    <Door {...about} title="Sign in" sentence="To the API keys and webhooks of your account.">
      <SignIn next={way} />
    </Door>
  );
}
