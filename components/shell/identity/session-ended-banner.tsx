'use client';

import { LogIn } from 'lucide-react';

import { Banner } from '#components/ui/feedback/banner.tsx';
import { Button } from '#components/ui/buttons/button.tsx';

import { useIdentity } from '../actions/use-identity.ts';

/** Shown above the page after its session ended and the prompt to sign in again was closed. */
export function SessionEndedBanner() {
  const { isSessionEnded, signInAgain } = useIdentity();
  return (
    // Rendered from the start: screen readers announce only what is added to an existing live
    // region.
    <div role="alert" className="not-empty:mb-6 print:hidden">
      {isSessionEnded && (
        <Banner
          role="none"
          tone="warn"
          icon={<LogIn />}
          title="Your session has ended"
          action={<Button onClick={signInAgain}>Sign in again</Button>}
        >
          This page shows data from before that. What you typed is kept.
        </Banner>
      )}
    </div>
  );
}
