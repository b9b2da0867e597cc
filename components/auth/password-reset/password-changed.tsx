import { AuthLayout } from '#components/shell/frame/auth-layout.tsx';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { pathWithEmail } from '../path-with-email.ts';

type PasswordChangedProps = { host: string; version: string; email: string };

/** Shows that a password was chosen with a link, and leads to signing in with it. */
export function PasswordChanged({ email, ...layout }: PasswordChangedProps) {
  return (
    <AuthLayout
      {...layout}
      title="Your password was changed"
      sentence="You were signed out everywhere. Sign in with the new password."
    >
      <ButtonLink href={pathWithEmail('/sign-in', email)} variant="primary" size="large">
        Go to sign-in
      </ButtonLink>
    </AuthLayout>
  );
}
