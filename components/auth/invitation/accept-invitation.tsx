'use client';

import { AuthLayout } from '#components/shell/frame/auth-layout.tsx';
import { Facts } from '#components/ui/data-display/facts.tsx';
import { checkInvitation } from '#lib/actions/people/signing-in.ts';
import type { InvitationTerms } from '#lib/contract/people/invitations.ts';
import { roleTable } from '#lib/contract/rights/roles.ts';
import { LinkDeadline } from '../link/link-deadline.tsx';
import { SignInLink } from '../sign-in/sign-in-link.tsx';
import { UnopenedLink } from '../link/unopened-link.tsx';
import { useLink } from '../link/use-link.ts';
import { Acceptance } from './acceptance.tsx';

type AcceptInvitationProps = {
  host: string;
  version: string;
  /** The email of the person who is signed in in this browser; null: nobody. */
  signedIn: string | null;
};

/** The page of an invitation. */
export function AcceptInvitation({ host, version, signedIn }: AcceptInvitationProps) {
  const link = useLink({ kind: 'invitation', field: 'invitation_token', check: checkInvitation });
  const { stage } = link;
  const layout = { host, version };
  if (stage.name !== 'open') {
    return (
      <UnopenedLink
        {...layout}
        link={link}
        stage={stage}
        title="Your invitation"
        missingTitle="Open the invitation link"
        missing="This page needs the whole link from your invitation. It works once, for 72 hours."
      >
        <SignInLink />
      </UnopenedLink>
    );
  }
  const terms = stage.checked;
  return (
    <AuthLayout
      {...layout}
      title={`Join ${terms.account_name}`}
      sentence={`${terms.invited_by} invites you to this account.`}
    >
      <Offer terms={terms} />
      <Acceptance
        // A new link in the same tab can be for someone else.
        key={terms.email}
        terms={terms}
        signedIn={signedIn}
        refuse={link.refuse}
      />
    </AuthLayout>
  );
}

function Offer({ terms }: { terms: InvitationTerms }) {
  const { label, description } = roleTable[terms.role];
  return (
    <Facts
      facts={[
        {
          label: 'Role',
          value: (
            <>
              {label}
              <span className="block text-small text-pretty text-ink-3">{description}</span>
            </>
          ),
        },
        { label: 'Expires', value: <LinkDeadline value={terms.expires_at} /> },
      ]}
    />
  );
}
