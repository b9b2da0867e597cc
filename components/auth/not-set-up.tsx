import { AuthLayout } from '#components/shell/frame/auth-layout.tsx';
import { ButtonLink } from '#components/ui/buttons/button.tsx';

import { SetUpLinkHelp } from './set-up-link-help.tsx';

/** Shown in place of the sign-in form until the first account is created. */
export function NotSetUp({ host, version }: { host: string; version: string }) {
  return (
    <AuthLayout
      host={host}
      version={version}
      title="Not set up yet"
      sentence="Nobody can sign in before the first account is made. The set-up link does that."
    >
      <SetUpLinkHelp />
      <ButtonLink href="/sign-in" size="large" className="mt-2">
        Look again
      </ButtonLink>
    </AuthLayout>
  );
}
