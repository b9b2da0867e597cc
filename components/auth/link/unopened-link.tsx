import type { ReactNode } from 'react';
import { ActionButton } from '#components/shell/actions/action-button.tsx';
import { RateLimitNotice } from '#components/shell/feedback/rate-limit-notice.tsx';
import { AuthLayout } from '#components/shell/frame/auth-layout.tsx';
import type { Link, LinkStage } from './use-link.ts';

type UnopenedLinkProps = {
  host: string;
  version: string;
  link: Pick<Link<unknown>, 'action' | 'open'>;
  stage: Exclude<LinkStage<unknown>, { name: 'open' }>;
  /** The page's title while the link is checked. */
  title: string;
  /** Shown if the address has no token: which link to open. */
  missing: string;
  missingTitle?: string;
  /** What to do instead if there is no link, or it is no longer valid. */
  children: ReactNode;
};

/** The page of a link that is being checked, is missing, not valid, or could not be checked. */
export function UnopenedLink({
  link,
  stage,
  title,
  missing,
  missingTitle = 'Open the link in the email',
  children,
  ...layout
}: UnopenedLinkProps) {
  switch (stage.name) {
    case 'no-link':
      return (
        <AuthLayout {...layout} title={missingTitle} sentence={missing}>
          {children}
        </AuthLayout>
      );
    case 'reading':
      return (
        <AuthLayout {...layout} title={title} sentence="Reading the link …">
          {null}
        </AuthLayout>
      );
    case 'unopened':
      return (
        <AuthLayout
          {...layout}
          title={title}
          sentence="Continue to open the link. After that it works in this browser only, until it is used or expires."
        >
          <ActionButton variant="primary" size="large" action={link.action} onClick={link.open}>
            Continue
          </ActionButton>
        </AuthLayout>
      );
    case 'refused':
      return (
        <AuthLayout
          {...layout}
          title="This link is no longer valid"
          sentence={withoutTitle(stage.reason)}
        >
          {children}
        </AuthLayout>
      );
    case 'failed':
      return (
        <AuthLayout
          {...layout}
          title="The link could not be checked"
          sentence={stage.failure.message}
        >
          <RateLimitNotice deadline={link.action.deadline} />
          <ActionButton size="large" action={link.action} onClick={link.open}>
            Check again
          </ActionButton>
        </AuthLayout>
      );
  }
}

/** Whether the service's message begins with the text of the title. */
function withoutTitle(reason: string): string {
  return reason.replace(/^This (?:link|invitation) is no longer valid\. /, '');
}
