import type { ReactNode } from 'react';

import type { Session } from '#lib/contract/dashboard.ts';

export type FrameProps = {
  /** Whom the page was made for, and in which account. */
  session: Session;
  /** A server action: ends the session. */
  signOut: () => Promise<void>;
  children: ReactNode;
};
