'use client';

import { useState } from 'react';

import { type Segment, Segmented } from '#components/ui/inputs/segmented.tsx';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import type { InvitationTerms } from '#lib/contract/people/invitations.ts';

import { SignInForm } from '../sign-in/sign-in.tsx';
import { AcceptForm } from './accept-form.tsx';
import { JoinForm } from './join-form.tsx';
import { OtherPerson } from './other-person.tsx';

type AcceptanceProps = {
  terms: InvitationTerms;
  /** The email of whoever was signed in when the page was opened; null: nobody. */
  signedIn: string | null;
  /**
   * Handles a failure that is about the invitation: it was used, renewed or revoked, or has
   * expired.
   */
  refuse: (failure: ActionFailure) => boolean;
};

/** Who the person is, in this browser: their email, and whether they signed in on this page. */
type Person = { email: string | null; hasJustSignedIn: boolean };

/** The steps to accept an invitation. */
export function Acceptance({ terms, signedIn, refuse }: AcceptanceProps) {
  // Read from the page once: signing in renders the page again, and the steps advance by
  // themselves.
  const [person, setPerson] = useState<Person>({ email: signedIn, hasJustSignedIn: false });
  const [choice, setChoice] = useState<Choice>('new');
  const [notice, setNotice] = useState<string | null>(null);

  function askToSignIn(reason: string) {
    setNotice(reason);
    setChoice('existing');
    setPerson({ email: null, hasJustSignedIn: false });
  }

  if (person.email === terms.email) {
    return (
      <JoinForm
        terms={terms}
        joinsAtOnce={person.hasJustSignedIn}
        refuse={refuse}
        onSignInNeeded={askToSignIn}
      />
    );
  }
  if (person.email !== null) {
    return (
      <OtherPerson
        email={terms.email}
        signedIn={person.email}
        onSignedOut={() => setPerson({ email: null, hasJustSignedIn: false })}
      />
    );
  }
  return (
    <>
      <p role="status" className="text-pretty text-ink-2 empty:hidden">
        {notice}
      </p>
      <Segmented
        legend="Who are you?"
        isLegendHidden
        segments={choices}
        value={choice}
        onChange={setChoice}
      />
      {choice === 'new' ? (
        <AcceptForm terms={terms} refuse={refuse} onSignInNeeded={askToSignIn} />
      ) : (
        <SignInForm
          email={terms.email}
          isEmailFixed
          label="Sign in and join"
          onSignedIn={() => setPerson({ email: terms.email, hasJustSignedIn: true })}
        />
      )}
    </>
  );
}

/** Before somebody signs in, the service does not say whether they have an account. */
type Choice = 'new' | 'existing';

const choices: readonly Segment<Choice>[] = [
  { value: 'new', label: 'I am new here' },
  { value: 'existing', label: 'I have an account' },
];
