'use client';

import { LogIn } from 'lucide-react';

import { Banner } from '#components/ui/banner.tsx';
import { Button } from '#components/ui/button.tsx';

import { useIdentity } from '../actions/use-run-action.ts';

/** Above a page whose session ended and whose question to sign in again was closed. */
export function SessionEndedBanner() {
  const { isSessionEnded, signInAgain } = useIdentity();
  return (
    // There from the start, so that what comes into it is spoken.
    <div role="alert" className="not-empty:mb-6 print:hidden">
      {isSessionEnded && (
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
