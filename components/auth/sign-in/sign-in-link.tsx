import { ButtonLink } from '#components/ui/buttons/button-link.tsx';

/** Leads from a link that cannot be used to the sign-in page. */
export function SignInLink() {
  return (
    <ButtonLink href="/sign-in" size="large">
      Go to sign-in
    </ButtonLink>
  );
}
