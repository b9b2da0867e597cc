'use client';

import { useState, useSyncExternalStore } from 'react';
import { ActionButton } from '#components/shell/actions/action-button.tsx';
import { usePublicAction } from '#components/shell/actions/use-action.ts';
import { ActionProblem } from '#components/shell/feedback/action-problem.tsx';
import { AuthLayout } from '#components/shell/frame/auth-layout.tsx';
import { EmphasizedName } from '#components/shell/identity/emphasized-name.tsx';
import { confirmWebhookContact } from '#lib/actions/people/signing-in.ts';

/** The page that the link to the contact of a webhook opens. Opening it alone confirms nothing. */
export function ConfirmContact(layout: { host: string; version: string }) {
  const { run, ...action } = usePublicAction();
  const fragment = useSyncExternalStore(followFragment, readFragment, () => '');
  const [pressed, setPressed] = useState<string | null>(null);
  const token = pressed ?? fragment.slice(1);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [confirmed, setConfirmed] = useState<{ email: string; webhook: string } | null>(null);

  if (confirmed) {
    return (
      <AuthLayout
        {...layout}
        title="Address confirmed"
        sentence={
          <>
            <EmphasizedName>{confirmed.email}</EmphasizedName> gets an email when the webhook{' '}
            <EmphasizedName>{confirmed.webhook}</EmphasizedName> fails and when it works again.
          </>
        }
      >
        {null}
      </AuthLayout>
    );
  }
  if (refusal !== null || token === '') {
    return (
      <AuthLayout
        {...layout}
        title={refusal === null ? 'Open the link in the email' : 'This link does not work'}
        sentence={refusal ?? 'This page needs the whole link from the email.'}
      >
        {null}
      </AuthLayout>
    );
  }
  return (
    <AuthLayout
      {...layout}
      title="Confirm this address"
      sentence="Confirm that your address is told by email when a webhook fails and when it works again."
    >
      <ActionProblem
        action={action}
        notDone="The address was not confirmed"
        unknown="We could not confirm whether the address was confirmed"
        adviceIfUnknown="If the address was confirmed, the link no longer works."
      />
      <ActionButton
        variant="primary"
        size="large"
        action={action}
        onClick={() => {
          setPressed(token);
          window.history.replaceState(null, '', window.location.pathname);
          run(() => confirmWebhookContact({ body: { contact_token: token } }), {
            onDone: ({ data }) => setConfirmed(data),
            onFailure: (failure, show) => {
              const reason = failure.details?.['contact_token']?.[0];
              if (reason === undefined) show(failure);
              else setRefusal(reason);
            },
          });
        }}
      >
        Confirm
      </ActionButton>
    </AuthLayout>
  );
}

function followFragment(onChange: () => void): () => void {
  window.addEventListener('hashchange', onChange);
  return () => window.removeEventListener('hashchange', onChange);
}

/** The token is in the fragment, which browsers do not send, so that no server logs it. */
function readFragment(): string {
  return window.location.hash;
}
