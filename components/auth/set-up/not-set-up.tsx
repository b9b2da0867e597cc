import { AuthLayout } from '#components/shell/frame/auth-layout.tsx';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { SetUpLinkHelp } from './set-up-link-help.tsx';

/** Shown in place of the sign-in form until the first account is created. */
export function NotSetUp({ host, version }: { host: string; version: string }) {
  return (
    <AuthLayout
      host={host}
      version={version}
      title="Not set up yet"
      sentence="Nobody can sign in until the first account is created. Use the set-up link to create it."
    >
      <SetUpLinkHelp />
      <ButtonLink href="/sign-in" size="large" className="mt-2">
        Refresh
      </ButtonLink>
    </AuthLayout>
  );
}
