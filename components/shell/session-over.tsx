'use client';

import { LogIn } from 'lucide-react';

import { Banner } from '#components/ui/banner.tsx';
import { Button } from '#components/ui/button.tsx';

import { useIdentity } from './use-act.ts';

/** Above a page whose session ended and whose question to sign in again was closed. */
export function SessionOver() {
  const { isOver, signInAgain } = useIdentity();
  return (
    // There from the start, so that what comes into it is spoken.
    <div role="alert" className="not-empty:mb-6 print:hidden">
      {isOver && (
        <Banner
          role="none"
          tone="warn"
          icon={<LogIn />}
          title="Your session has ended"
          action={<Button onClick={signInAgain}>Sign in again</Button>}
        >
          What you see was read before. What you typed is kept.
        </Banner>
      )}
    </div>
  );
}
