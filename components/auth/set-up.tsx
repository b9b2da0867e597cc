'use client';

import { useEffect, useEffectEvent, useRef, useState } from 'react';

import { AuthLayout } from '#components/shell/frame/auth-layout.tsx';
import { RateLimitNotice } from '#components/shell/feedback/rate-limit-notice.tsx';
import { ActionButton } from '#components/shell/actions/action-button.tsx';
import { usePublicAction } from '#components/shell/actions/use-action.ts';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import { checkSetUpToken } from '#lib/actions/session.ts';

import { LinkDeadline } from './link-deadline.tsx';
import { SetUpForm } from './set-up-form.tsx';
import { SetUpLinkHelp } from './set-up-link-help.tsx';

type Stage =
  | { name: 'reading' }
  | { name: 'no link' }
  | { name: 'refused'; reason: string }
  | { name: 'failed'; failure: ActionFailure }
  | { name: 'open'; token: string; validUntil: string };

type SetUpProps = {
  host: string;
  version: string;
  /** Whether the first account can still be created. */
  isOpen: boolean;
};

/**
 * The set-up page. Its token is in the URL's fragment, which is not sent to servers and not logged.
 */
export function SetUp({ host, version, isOpen }: SetUpProps) {
  const [stage, setStage] = useState<Stage>({ name: 'reading' });
  const { runInBackground, ...action } = usePublicAction();
  const token = useRef<string | null>(null);

  async function check() {
    const { current } = token;
    if (current === null) {
      setStage({ name: 'no link' });
      return;
    }
    setStage({ name: 'reading' });
    await runInBackground(() => checkSetUpToken(current), {
      onDone: ({ validUntil }) => setStage({ name: 'open', token: current, validUntil }),
      onNotDone: (failure) => setStage(stageAfter(failure)),
    });
  }

  const readAddress = useEffectEvent(() => {
    token.current = takeFragment() ?? token.current;
    void check();
  });

  useEffect(() => {
    readAddress();
    // A new link that is pasted into the same tab changes only the fragment, which loads no page.
    const onHashChange = () => {
      if (window.location.hash.length > 1) readAddress();
    };
    window.addEventListener('hashchange', onHashChange);
    return () => window.removeEventListener('hashchange', onHashChange);
  }, []);

  const layout = { host, version };
  switch (stage.name) {
    case 'reading':
      return (
        <AuthLayout
          {...layout}
          title="Create the first account"
          sentence="Reading the set-up link …"
        >
          {null}
        </AuthLayout>
      );
    case 'no link':
      // Once there is an account, the terminal prints no link, and only commands of the operator let
      // people in.
      if (!isOpen) {
        return (
          <AuthLayout
            {...layout}
            title="Nothing to set up here"
            sentence="Sign in. If you have no account yet, ask whoever runs this service to add you."
          >
            <SignInLink />
          </AuthLayout>
        );
      }
      return (
        <AuthLayout
          {...layout}
          title="Open the set-up link"
          sentence="This page needs the whole set-up link, from the terminal that runs the service."
        >
          <SetUpLinkHelp />
          <SignInLink />
        </AuthLayout>
      );
    case 'refused':
      return (
        <AuthLayout {...layout} title="This link is no longer valid" sentence={stage.reason}>
          <SignInLink />
        </AuthLayout>
      );
    case 'failed':
      return (
        <AuthLayout
          {...layout}
          title="The link could not be checked"
          sentence={stage.failure.message}
        >
          <RateLimitNotice deadline={action.deadline} />
          <ActionButton size="large" action={action} onClick={() => void check()}>
            Check again
          </ActionButton>
        </AuthLayout>
      );
    case 'open':
      return (
        <AuthLayout
          {...layout}
          title="Create the first account"
          sentence={
            <>
              You become its owner. <LinkDeadline value={stage.validUntil} />
            </>
          }
        >
          <SetUpForm
            token={stage.token}
            onRefused={(reason) => setStage({ name: 'refused', reason })}
          />
        </AuthLayout>
      );
  }
}

function stageAfter(failure: ActionFailure): Stage {
  const reason = failure.details?.['set_up_token']?.[0];
  if (reason !== undefined) return { name: 'refused', reason };
  return failure.code === 'VALIDATION_ERROR' ? { name: 'no link' } : { name: 'failed', failure };
}

function SignInLink() {
  return (
    <ButtonLink href="/sign-in" size="large">
      Go to sign-in
    </ButtonLink>
  );
}

/** Reads the fragment and removes it from the address bar and the history entry. */
function takeFragment(): string | null {
  const fragment = window.location.hash.slice(1);
  if (fragment === '') return null;
  window.history.replaceState(window.history.state, '', window.location.pathname);
  return fragment;
}
