import { usePathname, useSearchParams } from 'next/navigation';
import { buttonClass } from '#components/ui/buttons/button-class.ts';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { signInPath } from '#lib/paths/sign-in-path.ts';

/** Shown in place of data or results when the session has ended. */
export function DeskSessionEnded() {
  const here = `${usePathname()}?${useSearchParams().toString()}`;
  return (
    <Banner
      tone="warn"
      title="Your session has ended"
      action={
        <a href={signInPath(here)} className={buttonClass({})}>
          Sign in
        </a>
      }
    >
      Sign in again to continue.
    </Banner>
  );
}
