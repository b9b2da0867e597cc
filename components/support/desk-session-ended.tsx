'use client';

import { usePathname } from 'next/navigation';

import { buttonClass } from '#components/ui/buttons/button-class.ts';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { signInPath } from '#lib/sign-in-path.ts';

/** In place of what could not be done or read, as the session has ended. */
export function DeskSessionEnded() {
  return (
    <Banner
      tone="warn"
      title="Your session has ended"
      action={
        <a href={signInPath(usePathname())} className={buttonClass({})}>
          Sign in
        </a>
      }
    >
      Sign in again to go on.
    </Banner>
  );
}
