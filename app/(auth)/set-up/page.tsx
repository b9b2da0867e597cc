import type { Metadata } from 'next';

import { SetUp } from '#components/auth/set-up.tsx';
import { isSetUpOpen } from '#lib/api/session.ts';

import { serverInfo } from '../server-info.ts';
import { fallbackIfUnavailable } from '../fallback-if-unavailable.ts';

export const metadata: Metadata = { title: 'Set up' };

export default async function SetUpPage() {
  return <SetUp {...serverInfo()} isOpen={await fallbackIfUnavailable(isSetUpOpen(), false)} />;
}
