import type { ReactNode } from 'react';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { PageHeading } from './page-heading.tsx';
import { PageTitle } from './page-title.tsx';

type NotFoundPageProps = {
  back: { href: string; label: string };
  /** Why, if that is known. */
  why?: ReactNode;
};

/**
 * For `not-found.tsx`. Without a reason, it looks the same for a page that does not exist, for one of another account,
 * and for one of an account that is being deleted and that the person does not own.
 */
export function NotFoundPage({ back, why }: NotFoundPageProps) {
  return (
    <>
      <PageTitle>Page not found</PageTitle>
      <PageHeading
        title="Page not found"
        sentence={why ?? 'This page doesn’t exist, or you cannot open it from this account.'}
      />
      <ButtonLink href={back.href}>{back.label}</ButtonLink>
    </>
  );
}
