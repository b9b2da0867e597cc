import type { ReactNode } from 'react';

import { DeskFrame } from '#components/support/frame/desk-frame.tsx';

import { requireDesk } from './desk.ts';

/** The pages for all accounts that a person can open: their addresses name none. */
export default async function SupportLayout({ children }: { children: ReactNode }) {
  return <DeskFrame desk={await requireDesk()}>{children}</DeskFrame>;
}
