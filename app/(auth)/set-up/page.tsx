import type { Metadata } from 'next';

import { SetUp } from '#components/auth/set-up.tsx';
import { isSetUpOpen } from '#lib/api/session.ts';

import { aboutServer } from '../about-server.ts';
import { orWithout } from '../or-without.ts';

export const metadata: Metadata = { title: 'Set up' };

export default async function SetUpPage() {
  return <SetUp {...aboutServer()} isOpen={await orWithout(isSetUpOpen(), false)} />;
}
