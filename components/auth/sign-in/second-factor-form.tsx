'use client';

import { ActionFailurePanel } from '#components/shell/feedback/action-failure-panel.tsx';
import { RateLimitNotice } from '#components/shell/feedback/rate-limit-notice.tsx';
import { FactorFields } from '#components/shell/identity/second-factor/factor-fields.tsx';
import { OtherFactorKinds } from '#components/shell/identity/second-factor/other-factor-kinds.tsx';
import { PasskeyElsewhere } from '#components/shell/identity/second-factor/passkey-elsewhere.tsx';
import { usableKinds } from '#components/shell/identity/second-factor/usable-kinds.ts';
import { useFactorForm } from '#components/shell/identity/second-factor/use-factor-form.ts';
import { announceSessionChange } from '#lib/session/session-channel.ts';
import { Form } from '#components/ui/inputs/form/form.tsx';
import type { NeededFactor } from '#lib/contract/people/second-factors.ts';
import { finishSignIn, startPasskeySignIn } from '#lib/actions/people/signing-in.ts';

import { SubmitButton } from '../submit-button.tsx';
import { useProceedAfterAction } from '../use-proceed-after-action.ts';

type SecondFactorFormProps = {
  needed: NeededFactor;
  label: string;
  /** Called once the person is signed in and the action has ended. The form stays pending. */
  onSignedIn: () => void;
  /** Returns to the password, with the reason if the sign-in has ended. */
  onBack: (reason: string | null) => void;
};

/** Asks for the second factor, after the password. */
export function SecondFactorForm({ needed, label, onSignedIn, onBack }: SecondFactorFormProps) {
  const { passkey_host: passkeyHost } = needed;
  const kinds = usableKinds(needed, window.location.hostname);
  const form = useFactorForm({
    kinds,
    send: (body) => finishSignIn({ body }),
    startPasskey: startPasskeySignIn,
    onDone: () => {
      announceSessionChange();
      proceed();
    },
    onFailure: (failure, show) => {
      const ended = failure.details?.['pending_token'];
      if (ended) onBack(ended.join(' '));
      else show(failure);
    },
  });
  const { failure, kind } = form;
  const { isProceeding, proceed } = useProceedAfterAction(form.isPending, onSignedIn);

  return (
    <>
      <p className="text-pretty text-ink-2">
        Your password is correct. Now confirm with your second factor.
      </p>
      <RateLimitNotice keepsInput deadline={form.deadline}>
        For security, the number of attempts is limited.
      </RateLimitNotice>
      {failure && (
        <ActionFailurePanel
          failure={failure}
          notDone="Sign-in failed"
          unknown="We could not confirm whether you were signed in"
          adviceIfUnknown="Trying again is safe."
        />
      )}
      {needed.kinds.includes('passkey') && !kinds.includes('passkey') && (
        <PasskeyElsewhere passkeyHost={passkeyHost} />
      )}
      {kinds.length > 0 && (
        <Form {...form.attributes} className="grid gap-4">
          <FactorFields form={form} size="large" />
          <SubmitButton action={{ ...form, isPending: form.isPending || isProceeding }}>
            {kind === 'passkey' ? 'Use passkey' : label}
          </SubmitButton>
        </Form>
      )}
      <div className="grid gap-1">
        <OtherFactorKinds form={form} kinds={kinds} />
        <p className="text-small">
          <button
            type="button"
            className="link min-h-6 max-sm:min-h-11 pointer-coarse:min-h-11"
            onClick={() => onBack(null)}
          >
            Back to email and password
          </button>
        </p>
      </div>
      <p className="text-small text-pretty text-ink-3">
        Lost your second factor and your recovery codes? Ask whoever runs this service to reset your
        second factors.
      </p>
    </>
  );
}
