import type { Metadata } from 'next';

import { SetUp } from '#components/auth/set-up.tsx';

import { aboutServer } from '../about-server.ts';

export const metadata: Metadata = { title: 'Set up' };

export default function SetUpPage() {
  return <SetUp {...aboutServer()} />;
}
